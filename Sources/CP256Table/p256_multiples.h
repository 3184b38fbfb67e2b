#ifndef COUNTERSIGN_P256_MULTIPLES_H
#define COUNTERSIGN_P256_MULTIPLES_H

#include "p256_point.h"
#include "p256_table.h"

#if defined(__SIZEOF_INT128__)

/* A scalar's digits have eight bits and a sign; for each digit a table has a row, with the point's multiples by the digit's
   weight times 1 to 128. */
enum { p256_rows = 32, p256_entries_of_row = 128 };

struct countersign_p256_table {
    p256_point multiples[p256_rows][p256_entries_of_row];
};

/* A multiple of a table's point, to be summed up. */
typedef struct {
    const countersign_p256_table *table;
    /* The scalar's bytes from the lowest, with 128 more in all but the last: each is a digit. */
    uint8_t digits[p256_rows];
    /* The opposite multiple is meant. */
    int is_negative;
    enum { p256_infinity, p256_finite, p256_unknown } state;
} p256_multiple;

/* The byte of the digit 0. */
static inline uint8_t p256_zero_digit(int row) { return row < p256_rows - 1 ? 128 : 0; }

/* The multiple by a scalar below n. */
p256_multiple p256_multiple_by(p256_number scalar, const countersign_p256_table *table);

/* Sums up each multiple in the place of `points` that is its own, and sets its state. */
void p256_sum_up(p256_multiple *multiples, p256_point *points, size_t count, p256_queue *queue);

#endif
#endif
