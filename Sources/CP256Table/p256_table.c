#include "p256_table.h"

#include "p256_multiples.h"

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/obj_mac.h>
#include <stdlib.h>

#if defined(__SIZEOF_INT128__)

/* Twice a point x = X/Z^2, y = Y/Z^3; no point of this curve has y = 0. ("dbl-2001-b" of the Explicit-Formulas Database,
   for a = -3.) */
static void twice(p256_number *x, p256_number *y, p256_number *z) {
    p256_number delta = p256_multiply(*z, *z), gamma = p256_multiply(*y, *y), beta = p256_multiply(*x, gamma);
    p256_number alpha = p256_multiply(p256_subtract(*x, delta), p256_add(*x, delta));
    alpha = p256_add(p256_add(alpha, alpha), alpha);
    p256_number beta2 = p256_add(beta, beta), beta4 = p256_add(beta2, beta2);
    p256_number gamma2 = p256_multiply(gamma, gamma), gamma4 = p256_add(gamma2, gamma2);
    gamma4 = p256_add(gamma4, gamma4);
    p256_number y_z = p256_multiply(*y, *z);
    *x = p256_subtract(p256_multiply(alpha, alpha), p256_add(beta4, beta4));
    *z = p256_add(y_z, y_z);
    *y = p256_subtract(p256_multiply(alpha, p256_subtract(beta4, *x)), p256_add(gamma4, gamma4));
}

/* Fills in the multiples that are powers of two, the first being there: by doubling from end to end, with one inversion. */
static void fill_powers(countersign_p256_table *table) {
    enum { count = 8 * p256_rows };
    p256_number z[count], before[count], product = p256_one;
    p256_point *places[count], *first = &table->multiples[0][0];
    p256_number x = first->x, y = first->y;
    z[0] = p256_one;
    for (int i = 0; i < count; i++) {
        places[i] = &table->multiples[i / 8][(1 << i % 8) - 1];
        if (i > 0) {
            z[i] = z[i - 1];
            twice(&x, &y, &z[i]);
        }
        *places[i] = (p256_point){x, y};
        before[i] = product;
        product = p256_multiply(product, z[i]);
    }
    p256_number inverse = p256_inverse(product);
    for (int i = count; i-- > 0;) {
        p256_number inverse_z = p256_multiply(inverse, before[i]), square = p256_multiply(inverse_z, inverse_z);
        inverse = p256_multiply(inverse, z[i]);
        places[i]->x = p256_multiply(places[i]->x, square);
        places[i]->y = p256_multiply(places[i]->y, p256_multiply(square, inverse_z));
    }
}

/* Fills in the others: each power of two plus all that are below it. */
static int fill_sums(countersign_p256_table *table, p256_queue *queue) {
    for (int power = 2; power < p256_entries_of_row; power *= 2) {
        for (int row = 0; row < p256_rows; row++) {
            p256_point *multiples = table->multiples[row];
            for (int i = 1; i < power; i++) {
                if (!p256_enqueue(queue, &multiples[power + i - 1], &multiples[power - 1], &multiples[i - 1], 0)) {
                    return 0;
                }
            }
        }
        p256_finish(queue);
    }
    return 1;
}

/* Whether a scalar's multiple of the point is what OpenSSL's multiplication gives. */
static int is_multiple(p256_point multiple, const uint8_t *scalar, const uint8_t *point) {
    int is_equal = 0;
    uint8_t bytes[65];
    EC_GROUP *curve = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    EC_POINT *other = curve == NULL ? NULL : EC_POINT_new(curve);
    BIGNUM *factor = BN_bin2bn(scalar, 32, NULL);
    if (other != NULL && factor != NULL && EC_POINT_oct2point(curve, other, point, sizeof bytes, NULL) == 1
        && EC_POINT_mul(curve, other, NULL, other, factor, NULL) == 1
        && EC_POINT_point2oct(curve, other, POINT_CONVERSION_UNCOMPRESSED, bytes, sizeof bytes, NULL)
            == sizeof bytes) {
        is_equal = p256_is_equal(multiple.x, p256_multiply(p256_read(bytes + 1), p256_r2))
            && p256_is_equal(multiple.y, p256_multiply(p256_read(bytes + 33), p256_r2));
    }
    BN_free(factor);
    EC_POINT_free(other);
    EC_GROUP_free(curve);
    ERR_clear_error();
    return is_equal;
}

/* Whether the table is right for a scalar with ones and zeros all over, and so the point one of the curve. */
static int is_right(const countersign_p256_table *table, const uint8_t *bytes, p256_queue *queue) {
    static const uint8_t scalar[32] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0xFE, 0xDC, 0xBA,
                                       0x98, 0x76, 0x54, 0x32, 0x10, 0xF0, 0xE1, 0xD2, 0xC3, 0xB4, 0xA5,
                                       0x96, 0x87, 0x78, 0x69, 0x5A, 0x4B, 0x3C, 0x2D, 0x1E, 0x0F};
    /* For each row what its digit says alone, and then their sum by halves, with an inversion for each. */
    p256_multiple parts[p256_rows];
    p256_point sums[p256_rows];
    for (int row = 0; row < p256_rows; row++) {
        parts[row] = p256_multiple_by(p256_read(scalar), table);
        for (int other = 0; other < p256_rows; other++) {
            if (other != row) parts[row].digits[other] = p256_zero_digit(other);
        }
    }
    p256_sum_up(parts, sums, p256_rows, queue);
    for (int half = p256_rows / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) {
            if (parts[i].state != p256_finite || parts[half + i].state != p256_finite
                || !p256_enqueue(queue, &sums[i], &sums[i], &sums[half + i], 0)) {
                return 0;
            }
        }
        p256_finish(queue);
    }
    return is_multiple(sums[0], scalar, bytes);
}

countersign_p256_table *countersign_p256_table_new(const uint8_t *point) {
    p256_number x = p256_read(point + 1), y = p256_read(point + 33);
    if (point[0] != 4 || !p256_is_below(x, p256_p) || !p256_is_below(y, p256_p)) return NULL;
    p256_queue *queue = malloc(sizeof *queue);
    countersign_p256_table *table = aligned_alloc(sizeof(p256_point), sizeof *table);
    int done = 0;
    if (queue != NULL && table != NULL) {
        p256_start(queue);
        table->multiples[0][0] = (p256_point){p256_multiply(x, p256_r2), p256_multiply(y, p256_r2)};
        fill_powers(table);
        done = fill_sums(table, queue) && is_right(table, point, queue);
    }
    free(queue);
    if (done) return table;
    free(table);
    return NULL;
}

void countersign_p256_table_free(countersign_p256_table *table) { free(table); }

#else

countersign_p256_table *countersign_p256_table_new(const uint8_t *point) {
    (void)point;
    return NULL;
}
void countersign_p256_table_free(countersign_p256_table *table) { (void)table; }

#endif
