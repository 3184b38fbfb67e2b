/* The calls that this needs are deprecated since OpenSSL 3.0, without a successor. */
#define OPENSSL_SUPPRESS_DEPRECATED

#include "p256_table.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/obj_mac.h>
#include <openssl/opensslv.h>
#include <stdlib.h>

#if OPENSSL_VERSION_MAJOR < 4 && !defined(OPENSSL_NO_DEPRECATED_3_0)

/* A signature (r, s) over the hash e is right for the key Q where the point u1*G + u2*Q, with u1 = e/s and u2 = r/s modulo
   the order n, has an x that is r modulo n. OpenSSL computes u1*G by a table of multiples of G; a group whose generator
   is Q gives it one of Q. What is left to share within a batch is the inverse of s: one for all of them, from the product
   of all (Montgomery's trick). x is not computed: r*Z^2 = X modulo p says as much of the point (X : Y : Z). */
struct countersign_p256_table {
    EC_GROUP *curve;
    EC_GROUP *multiples;
};

struct countersign_p256_work {
    BN_CTX *scratch;
    EC_GROUP *curve;
    BN_MONT_CTX *order;
    BN_MONT_CTX *field;
    /* p - n: an r below it may stand for the x that is r + n. */
    BIGNUM *gap;
    /* The square of 2^256 modulo n, its cube modulo p: what takes numbers into Montgomery's form, once and twice. */
    BIGNUM *order_r2, *field_r3;
    BIGNUM *u1, *u2, *inverse, *x, *z, *t;
    EC_POINT *sum, *addend;
    BIGNUM *e[countersign_p256_batch], *r[countersign_p256_batch], *s[countersign_p256_batch];
    BIGNUM *product[countersign_p256_batch];
    size_t place[countersign_p256_batch];
};

static EC_GROUP *p256(void) { return EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1); }

void countersign_p256_table_free(countersign_p256_table *table) {
    if (table == NULL) return;
    EC_GROUP_free(table->multiples);
    EC_GROUP_free(table->curve);
    free(table);
}

/* Whether the table gives what OpenSSL's general multiplication gives, for a number with ones and zeros all over. */
static int is_right(const countersign_p256_table *table, const EC_POINT *key, BN_CTX *scratch) {
    int equal = 0;
    BIGNUM *number = NULL;
    EC_POINT *one = EC_POINT_new(table->curve), *other = EC_POINT_new(table->curve);
    if (one != NULL && other != NULL
        && BN_hex2bn(&number, "0123456789ABCDEFFEDCBA9876543210F0E1D2C3B4A5968778695A4B3C2D1E0F") != 0
        && EC_POINT_mul(table->multiples, one, number, NULL, NULL, scratch) == 1
        && EC_POINT_mul(table->curve, other, NULL, key, number, scratch) == 1) {
        equal = EC_POINT_cmp(table->curve, one, other, scratch) == 0;
    }
    BN_free(number);
    EC_POINT_free(one);
    EC_POINT_free(other);
    return equal;
}

countersign_p256_table *countersign_p256_table_new(const uint8_t *point) {
    int done = 0;
    EC_POINT *key = NULL;
    BN_CTX *scratch = BN_CTX_new();
    countersign_p256_table *table = calloc(1, sizeof *table);
    if (table != NULL && scratch != NULL && (table->curve = p256()) != NULL && (table->multiples = p256()) != NULL
        && (key = EC_POINT_new(table->curve)) != NULL) {
        done = EC_POINT_oct2point(table->curve, key, point, 65, scratch) == 1
            && EC_POINT_is_at_infinity(table->curve, key) == 0
            && EC_GROUP_set_generator(
                   table->multiples, key, EC_GROUP_get0_order(table->curve), EC_GROUP_get0_cofactor(table->curve)) == 1
            && EC_GROUP_precompute_mult(table->multiples, scratch) == 1
            && EC_GROUP_have_precompute_mult(table->multiples) == 1 && is_right(table, key, scratch);
    }
    EC_POINT_free(key);
    BN_CTX_free(scratch);
    if (done) return table;
    ERR_clear_error();
    countersign_p256_table_free(table);
    return NULL;
}

void countersign_p256_work_free(countersign_p256_work *work) {
    if (work == NULL) return;
    for (size_t i = 0; i < countersign_p256_batch; i++) {
        BN_free(work->e[i]);
        BN_free(work->r[i]);
        BN_free(work->s[i]);
        BN_free(work->product[i]);
    }
    EC_POINT_free(work->sum);
    EC_POINT_free(work->addend);
    BIGNUM *numbers[] = {
        work->gap, work->order_r2, work->field_r3, work->u1, work->u2, work->inverse, work->x, work->z, work->t};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) BN_free(numbers[i]);
    BN_MONT_CTX_free(work->order);
    BN_MONT_CTX_free(work->field);
    EC_GROUP_free(work->curve);
    BN_CTX_free(work->scratch);
    free(work);
}

static int allocate(countersign_p256_work *work) {
    BIGNUM **numbers[] = {&work->gap, &work->order_r2, &work->field_r3, &work->u1, &work->u2,
                          &work->inverse, &work->x, &work->z, &work->t};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if ((*numbers[i] = BN_new()) == NULL) return 0;
    }
    for (size_t i = 0; i < countersign_p256_batch; i++) {
        if ((work->e[i] = BN_new()) == NULL || (work->r[i] = BN_new()) == NULL || (work->s[i] = BN_new()) == NULL
            || (work->product[i] = BN_new()) == NULL) {
            return 0;
        }
    }
    return (work->scratch = BN_CTX_new()) != NULL && (work->curve = p256()) != NULL
        && (work->order = BN_MONT_CTX_new()) != NULL && (work->field = BN_MONT_CTX_new()) != NULL
        && (work->sum = EC_POINT_new(work->curve)) != NULL && (work->addend = EC_POINT_new(work->curve)) != NULL;
}

static int prepare(countersign_p256_work *work) {
    const BIGNUM *n = EC_GROUP_get0_order(work->curve), *p = EC_GROUP_get0_field(work->curve);
    return BN_MONT_CTX_set(work->order, n, work->scratch) == 1 && BN_MONT_CTX_set(work->field, p, work->scratch) == 1
        && BN_sub(work->gap, p, n) == 1 && BN_one(work->order_r2) == 1
        && BN_to_montgomery(work->order_r2, work->order_r2, work->order, work->scratch) == 1
        && BN_to_montgomery(work->order_r2, work->order_r2, work->order, work->scratch) == 1
        && BN_one(work->field_r3) == 1
        && BN_to_montgomery(work->field_r3, work->field_r3, work->field, work->scratch) == 1
        && BN_to_montgomery(work->field_r3, work->field_r3, work->field, work->scratch) == 1
        && BN_to_montgomery(work->field_r3, work->field_r3, work->field, work->scratch) == 1;
}

countersign_p256_work *countersign_p256_work_new(void) {
    countersign_p256_work *work = calloc(1, sizeof *work);
    if (work != NULL && allocate(work) && prepare(work)) return work;
    ERR_clear_error();
    countersign_p256_work_free(work);
    return NULL;
}

/* Reads the signatures whose r and s lie between 1 and n - 1, as they must; says how many those are. */
static size_t read_entries(countersign_p256_work *work, const uint8_t *entries, size_t count) {
    const BIGNUM *n = EC_GROUP_get0_order(work->curve);
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *entry = entries + i * countersign_p256_entry;
        BIGNUM *e = work->e[found], *r = work->r[found], *s = work->s[found];
        if (BN_bin2bn(entry, 32, e) == NULL || BN_bin2bn(entry + 32, 32, r) == NULL
            || BN_bin2bn(entry + 64, 32, s) == NULL) {
            continue;
        }
        if (BN_is_zero(r) || BN_is_zero(s) || BN_ucmp(r, n) >= 0 || BN_ucmp(s, n) >= 0) continue;
        if (BN_ucmp(e, n) >= 0 && BN_sub(e, e, n) != 1) continue;
        work->place[found++] = i;
    }
    return found;
}

/* Leaves in product[i] what s[0] to s[i] are multiplied by each other, and in `inverse` the inverse of all of it. Each
   product by BN_mod_mul_montgomery brings a factor of 2^-256; the last step leaves one of 2^256, so that the inverse of
   each s comes in Montgomery's form. */
static int invert(countersign_p256_work *work, size_t count) {
    const BIGNUM *n = EC_GROUP_get0_order(work->curve);
    if (BN_copy(work->product[0], work->s[0]) == NULL) return 0;
    for (size_t i = 1; i < count; i++) {
        if (BN_mod_mul_montgomery(work->product[i], work->product[i - 1], work->s[i], work->order, work->scratch) != 1) {
            return 0;
        }
    }
    return BN_mod_inverse(work->inverse, work->product[count - 1], n, work->scratch) != NULL
        && BN_mod_mul_montgomery(work->inverse, work->inverse, work->order_r2, work->order, work->scratch) == 1;
}

/* Takes the inverse of s[i] out of that of s[0] to s[i], for `i` from the last to the first: u1 and u2. */
static int take_scalars(countersign_p256_work *work, size_t i) {
    BIGNUM *inverse = work->inverse;
    if (i > 0) {
        inverse = work->t;
        if (BN_mod_mul_montgomery(inverse, work->inverse, work->product[i - 1], work->order, work->scratch) != 1
            || BN_mod_mul_montgomery(work->inverse, work->inverse, work->s[i], work->order, work->scratch) != 1) {
            return 0;
        }
    }
    return BN_mod_mul_montgomery(work->u1, work->e[i], inverse, work->order, work->scratch) == 1
        && BN_mod_mul_montgomery(work->u2, work->r[i], inverse, work->order, work->scratch) == 1;
}

/* Whether the point (X : Y : Z) has this x, which is below p: x * Z^2 = X. */
static int has_x(countersign_p256_work *work, const BIGNUM *x) {
    return BN_mod_mul_montgomery(work->t, x, work->field_r3, work->field, work->scratch) == 1
        && BN_mod_mul_montgomery(work->t, work->t, work->z, work->field, work->scratch) == 1
        && BN_ucmp(work->t, work->x) == 0;
}

static int is_signature(const countersign_p256_table *table, countersign_p256_work *work, size_t i) {
    if (EC_POINT_mul(work->curve, work->sum, work->u1, NULL, NULL, work->scratch) != 1
        || EC_POINT_mul(table->multiples, work->addend, work->u2, NULL, NULL, work->scratch) != 1
        || EC_POINT_add(work->curve, work->sum, work->sum, work->addend, work->scratch) != 1
        || EC_POINT_is_at_infinity(work->curve, work->sum) != 0
        || EC_POINT_get_Jprojective_coordinates_GFp(work->curve, work->sum, work->x, NULL, work->z, work->scratch) != 1
        || BN_mod_mul_montgomery(work->z, work->z, work->z, work->field, work->scratch) != 1) {
        return 0;
    }
    BIGNUM *r = work->r[i];
    if (has_x(work, r)) return 1;
    return BN_ucmp(r, work->gap) < 0 && BN_add(r, r, EC_GROUP_get0_order(work->curve)) == 1 && has_x(work, r);
}

void countersign_p256_check(
    const countersign_p256_table *table, countersign_p256_work *work, const uint8_t *entries, size_t count,
    uint8_t *verdicts) {
    for (size_t i = 0; i < count; i++) verdicts[i] = 0;
    if (count > countersign_p256_batch) return;
    size_t found = read_entries(work, entries, count);
    if (found > 0 && invert(work, found)) {
        for (size_t i = found; i-- > 0;) {
            if (!take_scalars(work, i)) break;
            verdicts[work->place[i]] = is_signature(table, work, i) ? 1 : 0;
        }
    }
    ERR_clear_error();
}

#else

countersign_p256_table *countersign_p256_table_new(const uint8_t *point) {
    (void)point;
    return NULL;
}
void countersign_p256_table_free(countersign_p256_table *table) { (void)table; }
countersign_p256_work *countersign_p256_work_new(void) { return NULL; }
void countersign_p256_work_free(countersign_p256_work *work) { (void)work; }
void countersign_p256_check(
    const countersign_p256_table *table, countersign_p256_work *work, const uint8_t *entries, size_t count,
    uint8_t *verdicts) {
    (void)table, (void)work, (void)entries;
    for (size_t i = 0; i < count; i++) verdicts[i] = 0;
}

#endif
