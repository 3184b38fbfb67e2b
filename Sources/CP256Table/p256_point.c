#include "p256_point.h"

#if defined(__SIZEOF_INT128__)

p256_number p256_read(const uint8_t *bytes) {
    p256_number result;
    for (int i = 0; i < 4; i++) {
        uint64_t word = 0;
        for (int j = 0; j < 8; j++) word = word << 8 | bytes[8 * (3 - i) + j];
        result.words[i] = word;
    }
    return result;
}

static p256_number square_often(p256_number a, int count) {
    while (count-- > 0) a = p256_multiply(a, a);
    return a;
}

/* a^(p - 2). */
p256_number p256_inverse(p256_number a) {
    /* By how many ones the exponent has. */
    p256_number ones2 = p256_multiply(square_often(a, 1), a);
    p256_number ones4 = p256_multiply(square_often(ones2, 2), ones2);
    p256_number ones8 = p256_multiply(square_often(ones4, 4), ones4);
    p256_number ones16 = p256_multiply(square_often(ones8, 8), ones8);
    p256_number ones32 = p256_multiply(square_often(ones16, 16), ones16);
    p256_number power = p256_multiply(square_often(ones32, 32), a);
    power = p256_multiply(square_often(power, 128), ones32);
    power = p256_multiply(square_often(power, 32), ones32);
    power = p256_multiply(square_often(power, 16), ones16);
    power = p256_multiply(square_often(power, 8), ones8);
    power = p256_multiply(square_often(power, 4), ones4);
    power = p256_multiply(square_often(power, 2), ones2);
    return p256_multiply(square_often(power, 2), a);
}

p256_number p256_opposite(p256_number a) { return p256_subtract((p256_number){{0, 0, 0, 0}}, a); }

/* The slope of the tangent is 3*(x^2 - 1) / 2*y; the rest is as for two points. */
p256_point p256_twice(p256_point a) {
    p256_number square = p256_subtract(p256_multiply(a.x, a.x), p256_one);
    p256_number numerator = p256_add(p256_add(square, square), square);
    p256_number slope = p256_multiply(numerator, p256_inverse(p256_add(a.y, a.y)));
    p256_point sum;
    sum.x = p256_subtract(p256_subtract(p256_multiply(slope, slope), a.x), a.x);
    sum.y = p256_subtract(p256_multiply(slope, p256_subtract(a.x, sum.x)), a.y);
    return sum;
}

void p256_finish(p256_queue *queue) {
    if (queue->count == 0) return;
    p256_number inverse = p256_inverse(queue->product);
    for (size_t i = queue->count; i-- > 0;) {
        const p256_addition *item = &queue->items[i];
        p256_number a_x = item->a->x, a_y = item->a->y, b_x = item->b->x, b_y = item->b->y;
        p256_number numerator = p256_subtract(item->is_negative ? p256_opposite(b_y) : b_y, a_y);
        p256_number slope = p256_multiply(numerator, p256_multiply(inverse, item->before));
        inverse = p256_multiply(inverse, item->difference);
        p256_number x = p256_subtract(p256_subtract(p256_multiply(slope, slope), a_x), b_x);
        item->sum->y = p256_subtract(p256_multiply(slope, p256_subtract(a_x, x)), a_y);
        item->sum->x = x;
    }
    p256_start(queue);
}

int p256_enqueue(p256_queue *queue, p256_point *sum, const p256_point *a, const p256_point *b, int is_negative) {
    p256_number difference = p256_subtract(b->x, a->x);
    if (p256_is_zero(difference)) return 0;
    if (queue->count == p256_additions) p256_finish(queue);
    p256_addition *item = &queue->items[queue->count++];
    item->a = a;
    item->b = b;
    item->sum = sum;
    item->is_negative = is_negative;
    item->difference = difference;
    item->before = queue->product;
    queue->product = p256_multiply(queue->product, difference);
    return 1;
}

#endif
