#include "p256_multiples.h"

#if defined(__SIZEOF_INT128__)

/* The scalar or its opposite is no more than n/2; so no digit is above 128. */
p256_multiple p256_multiple_by(p256_number scalar, const countersign_p256_table *table) {
    static const p256_number offset = {
        {0x8080808080808080, 0x8080808080808080, 0x8080808080808080, 0x0080808080808080}};
    uint64_t carry;
    p256_number other = p256_plain_subtract(p256_n, scalar, &carry);
    int is_negative = p256_is_below(other, scalar);
    p256_number digits = p256_plain_add(is_negative ? other : scalar, offset, &carry);
    p256_multiple multiple = {.table = table, .is_negative = is_negative, .state = p256_infinity};
    for (int i = 0; i < p256_rows; i++) multiple.digits[i] = (uint8_t)(digits.words[i / 8] >> 8 * (i % 8));
    return multiple;
}

static int digit_of(const p256_multiple *multiple, int row) {
    return multiple->digits[row] - p256_zero_digit(row);
}

/* What is added for a digit, which is not 0; its sign is not looked at. */
static const p256_point *addend_of(const p256_multiple *multiple, int row, int digit) {
    return &multiple->table->multiples[row][(digit < 0 ? -digit : digit) - 1];
}

/* Fetches what is to be added soon: the tables of many keys fit into no cache that is near. */
static void fetch(const p256_multiple *multiple, int row) {
    int digit = digit_of(multiple, row);
    if (digit != 0) __builtin_prefetch(addend_of(multiple, row, digit));
}

/* Row by row, so that a row stays in the innermost cache while all multiples take from it. Within one multiple of a point
   the same x never meets: what was summed up has a smaller weight than the addend, and both together are less than n. */
void p256_sum_up(p256_multiple *multiples, p256_point *points, size_t count, p256_queue *queue) {
    enum { ahead = 8 };
    for (int row = 0; row < p256_rows; row++) {
        for (size_t i = 0; i < count; i++) {
            if (count - i > ahead) fetch(&multiples[i + ahead], row);
            p256_multiple *multiple = &multiples[i];
            int digit = digit_of(multiple, row);
            if (digit == 0 || multiple->state == p256_unknown) continue;
            int is_negative = (digit < 0) != multiple->is_negative;
            const p256_point *addend = addend_of(multiple, row, digit);
            if (multiple->state == p256_infinity) {
                points[i].x = addend->x;
                points[i].y = is_negative ? p256_opposite(addend->y) : addend->y;
                multiple->state = p256_finite;
            } else if (!p256_enqueue(queue, &points[i], &points[i], addend, is_negative)) {
                multiple->state = p256_unknown;
            }
        }
        p256_finish(queue);
    }
}

#endif
