#ifndef COUNTERSIGN_P256_POINT_H
#define COUNTERSIGN_P256_POINT_H

#include "p256_number.h"

#include <stddef.h>

#if defined(__SIZEOF_INT128__)

/* A point that is not infinity, by its x and y times 2^256 modulo p. It fills a line of the cache. */
typedef struct {
    p256_number x, y;
} p256_point;

/* 2^256 modulo p, which stands for 1, and its square. */
static const p256_number p256_one = {{1, 0xFFFFFFFF00000000, 0xFFFFFFFFFFFFFFFF, 0x00000000FFFFFFFE}};
static const p256_number p256_r2 = {{3, 0xFFFFFFFBFFFFFFFF, 0xFFFFFFFFFFFFFFFE, 0x00000004FFFFFFFD}};

/* The number of 32 bytes from the highest; it may be any. */
p256_number p256_read(const uint8_t *bytes);

/* -a modulo p. */
p256_number p256_opposite(p256_number a);

/* 1/a modulo p, both times 2^256; 0 of 0. */
p256_number p256_inverse(p256_number a);

/* Twice a point, by itself; no point of this curve has y = 0. */
p256_point p256_twice(p256_point a);

/* Additions of points that share an inversion. The sum of (x1, y1) and (x2, y2) with different x has the slope
   m = (y2 - y1) / (x2 - x1), the x m^2 - x1 - x2, and the y m*(x1 - x) - y1. What the x differ by is inverted for all at
   once, from the product of all (Montgomery's trick). */
typedef struct {
    /* a's place may be the sum's. */
    const p256_point *a, *b;
    p256_point *sum;
    /* b is taken with the opposite y. */
    int is_negative;
    p256_number difference;
    /* The differences of those before, multiplied by each other. */
    p256_number before;
} p256_addition;

/* With 256 the inversion would be a seventh of the time; with 1,024 the queue leaves the innermost cache. */
enum { p256_additions = 512 };

typedef struct {
    size_t count;
    p256_number product;
    p256_addition items[p256_additions];
} p256_queue;

static inline void p256_start(p256_queue *queue) {
    queue->count = 0;
    queue->product = p256_one;
}

/* Has `sum` become a + b, or a - b, when the queue is finished; until then a and b must stay. 0 where they have one x: then
   one is the other or its opposite, and the formula does not hold. */
int p256_enqueue(p256_queue *queue, p256_point *sum, const p256_point *a, const p256_point *b, int is_negative);

/* Adds all that was put in. */
void p256_finish(p256_queue *queue);

#endif
#endif
