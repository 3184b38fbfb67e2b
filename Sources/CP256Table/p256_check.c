#include "p256_multiples.h"
#include "p256_table.h"

#include <stdlib.h>
#include <string.h>

#if defined(__SIZEOF_INT128__)

struct countersign_p256_work {
    p256_queue queue;
    /* Two for each signature: of the generator, and behind all these of the keys. */
    p256_multiple multiples[2 * countersign_p256_batch];
    p256_point points[2 * countersign_p256_batch];
    /* The hash modulo n; r; s times 2^256 modulo n. */
    p256_number e[countersign_p256_batch], r[countersign_p256_batch], s[countersign_p256_batch];
    p256_number before[countersign_p256_batch];
    size_t place[countersign_p256_batch];
};

countersign_p256_work *countersign_p256_work_new(void) {
    countersign_p256_work *work = malloc(sizeof *work);
    if (work != NULL) p256_start(&work->queue);
    return work;
}

void countersign_p256_work_free(countersign_p256_work *work) { free(work); }

/* Reads the signatures whose r and s lie between 1 and n - 1, as they must; says how many those are. */
static size_t read_entries(countersign_p256_work *work, const uint8_t *entries, size_t count) {
    /* The square of 2^256 modulo n. */
    static const p256_number r2 = {{0x83244C95BE79EEA2, 0x4699799C49BD6FA6, 0x2845B2392B6BEC59, 0x66E12D94F3D95620}};
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *entry = entries + i * countersign_p256_entry;
        p256_number r = p256_read(entry + 32), s = p256_read(entry + 64);
        if (p256_is_zero(r) || p256_is_zero(s) || !p256_is_below(r, p256_n) || !p256_is_below(s, p256_n)) continue;
        work->e[found] = p256_reduced(p256_read(entry), 0, p256_n);
        work->r[found] = r;
        work->s[found] = p256_order_multiply(s, r2);
        work->place[found++] = i;
    }
    return found;
}

/* 1/a modulo n, both times 2^256: a^(n - 2). */
static p256_number order_inverse(p256_number a) {
    p256_number power = a;
    for (int bit = 254; bit >= 0; bit--) {
        power = p256_order_multiply(power, power);
        uint64_t word = p256_n.words[bit / 64] - (bit < 64 ? 2 : 0);
        if (word >> bit % 64 & 1) power = p256_order_multiply(power, a);
    }
    return power;
}

/* A signature (r, s) over the hash e is right for the key Q where the point u1*G + u2*Q, with u1 = e/s and u2 = r/s modulo n,
   has an x that is r modulo n. */
static void find_scalars(
    countersign_p256_work *work, size_t count, const countersign_p256_table *base,
    const countersign_p256_table *const *tables) {
    p256_number product = work->s[0];
    for (size_t i = 1; i < count; i++) {
        work->before[i] = product;
        product = p256_order_multiply(product, work->s[i]);
    }
    p256_number rest = order_inverse(product);
    for (size_t i = count; i-- > 0;) {
        p256_number inverse = i > 0 ? p256_order_multiply(rest, work->before[i]) : rest;
        rest = p256_order_multiply(rest, work->s[i]);
        work->multiples[i] = p256_multiple_by(p256_order_multiply(work->e[i], inverse), base);
        work->multiples[count + i] =
            p256_multiple_by(p256_order_multiply(work->r[i], inverse), tables[work->place[i]]);
    }
}

/* Adds the multiples of the generator and of the keys: leaves the sums in the place of the first. Only whoever has the
   private key can bring about that both are the same, or opposite: then there is no sum, and the signature is wrong. */
static void add_pairs(countersign_p256_work *work, size_t count) {
    for (size_t i = 0; i < count; i++) {
        p256_multiple *sum = &work->multiples[i];
        const p256_multiple *addend = &work->multiples[count + i];
        p256_point *points = work->points;
        if (addend->state == p256_infinity) continue;
        if (sum->state == p256_infinity) {
            sum->state = addend->state;
            points[i] = points[count + i];
        } else if (sum->state == p256_unknown || addend->state == p256_unknown) {
            sum->state = p256_unknown;
        } else if (!p256_enqueue(&work->queue, &points[i], &points[i], &points[count + i], 0)) {
            if (p256_is_equal(points[i].y, points[count + i].y)) {
                points[i] = p256_twice(points[i]);
            } else {
                sum->state = p256_infinity;
            }
        }
    }
    p256_finish(&work->queue);
}

/* Whether an x, times 2^256, is r modulo n: r, or r + n where that is below p. */
static int is_r(p256_number x, p256_number r) {
    if (p256_is_equal(x, p256_multiply(r, p256_r2))) return 1;
    uint64_t carry;
    if (!p256_is_below(r, p256_plain_subtract(p256_p, p256_n, &carry))) return 0;
    return p256_is_equal(x, p256_multiply(p256_plain_add(r, p256_n, &carry), p256_r2));
}

void countersign_p256_check(
    countersign_p256_work *work, const countersign_p256_table *base, const countersign_p256_table *const *tables,
    const uint8_t *entries, size_t count, uint8_t *verdicts) {
    memset(verdicts, 0, count);
    if (count > countersign_p256_batch) return;
    size_t found = read_entries(work, entries, count);
    if (found == 0) return;
    find_scalars(work, found, base, tables);
    p256_sum_up(work->multiples, work->points, 2 * found, &work->queue);
    add_pairs(work, found);
    for (size_t i = 0; i < found; i++) {
        verdicts[work->place[i]] = work->multiples[i].state == p256_finite && is_r(work->points[i].x, work->r[i]);
    }
}

#else

countersign_p256_work *countersign_p256_work_new(void) { return NULL; }
void countersign_p256_work_free(countersign_p256_work *work) { (void)work; }
void countersign_p256_check(
    countersign_p256_work *work, const countersign_p256_table *base, const countersign_p256_table *const *tables,
    const uint8_t *entries, size_t count, uint8_t *verdicts) {
    (void)work, (void)base, (void)tables, (void)entries;
    memset(verdicts, 0, count);
}

#endif
