#ifndef COUNTERSIGN_P256_NUMBER_H
#define COUNTERSIGN_P256_NUMBER_H

#include <stdint.h>

#if defined(__SIZEOF_INT128__)

/* Numbers modulo the two primes of P-256 (SEC 2, section 2.4.2): p, of the coordinates, and n, the order of its points. For
   public numbers: nothing here takes constant time.

   A number is four words, the lowest first, and below its modulus: what each function takes, and what it gives. The products
   are Montgomery's, a*b/2^256, so a number that is to be multiplied often is held as a*2^256. */
typedef struct {
    uint64_t words[4];
} p256_number;

typedef unsigned __int128 p256_wide;

/* Loops over words as straight code. */
#define P256_UNROLLED _Pragma("GCC unroll 4")

static const p256_number p256_p = {
    {0xFFFFFFFFFFFFFFFF, 0x00000000FFFFFFFF, 0, 0xFFFFFFFF00000001}};
static const p256_number p256_n = {
    {0xF3B9CAC2FC632551, 0xBCE6FAADA7179E84, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF00000000}};

/* a + b of words; `carry` is what comes out. */
static inline __attribute__((always_inline)) p256_number p256_plain_add(
    p256_number a, p256_number b, uint64_t *carry) {
    p256_number sum;
    p256_wide t = 0;
    P256_UNROLLED
    for (int i = 0; i < 4; i++) {
        t = (p256_wide)a.words[i] + b.words[i] + (uint64_t)(t >> 64);
        sum.words[i] = (uint64_t)t;
    }
    *carry = (uint64_t)(t >> 64);
    return sum;
}

/* a - b of words; `borrow` is 1 where a is below b. */
static inline __attribute__((always_inline)) p256_number p256_plain_subtract(
    p256_number a, p256_number b, uint64_t *borrow) {
    p256_number difference;
    uint64_t under = 0;
    P256_UNROLLED
    for (int i = 0; i < 4; i++) {
        p256_wide t = (p256_wide)a.words[i] - b.words[i] - under;
        difference.words[i] = (uint64_t)t;
        under = (uint64_t)(t >> 64) & 1;
    }
    *borrow = under;
    return difference;
}

static inline int p256_is_zero(p256_number a) {
    return (a.words[0] | a.words[1] | a.words[2] | a.words[3]) == 0;
}

static inline int p256_is_equal(p256_number a, p256_number b) {
    return ((a.words[0] ^ b.words[0]) | (a.words[1] ^ b.words[1]) | (a.words[2] ^ b.words[2])
            | (a.words[3] ^ b.words[3])) == 0;
}

static inline int p256_is_below(p256_number a, p256_number b) {
    uint64_t borrow;
    (void)p256_plain_subtract(a, b, &borrow);
    return (int)borrow;
}

/* What is below twice the modulus, `top` being its word for 2^256, less the modulus where it is not below that. By masks,
   since a branch would depend on what is as good as random. */
static inline __attribute__((always_inline)) p256_number p256_reduced(
    p256_number a, uint64_t top, p256_number modulus) {
    uint64_t borrow;
    p256_number less = p256_plain_subtract(a, modulus, &borrow);
    uint64_t keeps = 0 - (borrow & (top ^ 1));
    P256_UNROLLED
    for (int i = 0; i < 4; i++) less.words[i] = (a.words[i] & keeps) | (less.words[i] & ~keeps);
    return less;
}

/* (a - b) modulo p. */
static inline __attribute__((always_inline)) p256_number p256_subtract(p256_number a, p256_number b) {
    uint64_t borrow, carry;
    p256_number difference = p256_plain_subtract(a, b, &borrow);
    p256_number back = p256_p;
    P256_UNROLLED
    for (int i = 0; i < 4; i++) back.words[i] &= 0 - borrow;
    return p256_plain_add(difference, back, &carry);
}

/* (a + b) modulo p. */
static inline __attribute__((always_inline)) p256_number p256_add(p256_number a, p256_number b) {
    uint64_t carry;
    p256_number sum = p256_plain_add(a, b, &carry);
    return p256_reduced(sum, carry, p256_p);
}

/* Adds a word's multiple of b to t, of five words of which the last is 0 or 1. What comes is below
   2^64*modulus + modulus, since t is below twice the modulus, and so below 2^320 for both. */
static inline __attribute__((always_inline)) void p256_add_multiple(uint64_t t[5], uint64_t word, p256_number b) {
    p256_wide sum = 0;
    P256_UNROLLED
    for (int i = 0; i < 4; i++) {
        sum = (p256_wide)word * b.words[i] + t[i] + (uint64_t)(sum >> 64);
        t[i] = (uint64_t)sum;
    }
    t[4] += (uint64_t)(sum >> 64);
}

/* a*b/2^256 modulo p. p is -1 modulo 2^64, so the lowest word m of t says how many p make it 0:
   m*p + m = m*(2^96 + 2^192*(2^64 - 2^32 + 1)). */
static inline __attribute__((always_inline)) p256_number p256_multiply(p256_number a, p256_number b) {
    uint64_t t[5] = {0, 0, 0, 0, 0};
    P256_UNROLLED
    for (int i = 0; i < 4; i++) {
        p256_add_multiple(t, a.words[i], b);
        uint64_t m = t[0];
        p256_wide sum = (p256_wide)t[1] + (m << 32);
        t[0] = (uint64_t)sum;
        sum = (p256_wide)t[2] + (m >> 32) + (uint64_t)(sum >> 64);
        t[1] = (uint64_t)sum;
        sum = (p256_wide)m * 0xFFFFFFFF00000001 + t[3] + (uint64_t)(sum >> 64);
        t[2] = (uint64_t)sum;
        sum = (p256_wide)t[4] + (uint64_t)(sum >> 64);
        t[3] = (uint64_t)sum;
        t[4] = (uint64_t)(sum >> 64);
    }
    p256_number product = {{t[0], t[1], t[2], t[3]}};
    return p256_reduced(product, t[4], p256_p);
}

/* a*b/2^256 modulo n. */
static inline __attribute__((always_inline)) p256_number p256_order_multiply(
    p256_number a, p256_number b) {
    /* -1/n modulo 2^64. */
    const uint64_t factor = 0xCCD1C8AAEE00BC4F;
    const p256_number n = p256_n;
    uint64_t t[5] = {0, 0, 0, 0, 0};
    P256_UNROLLED
    for (int i = 0; i < 4; i++) {
        p256_add_multiple(t, a.words[i], b);
        uint64_t m = t[0] * factor;
        p256_wide sum = (p256_wide)m * n.words[0] + t[0];
        sum = (p256_wide)m * n.words[1] + t[1] + (uint64_t)(sum >> 64);
        t[0] = (uint64_t)sum;
        sum = (p256_wide)m * n.words[2] + t[2] + (uint64_t)(sum >> 64);
        t[1] = (uint64_t)sum;
        sum = (p256_wide)m * n.words[3] + t[3] + (uint64_t)(sum >> 64);
        t[2] = (uint64_t)sum;
        sum = (p256_wide)t[4] + (uint64_t)(sum >> 64);
        t[3] = (uint64_t)sum;
        t[4] = (uint64_t)(sum >> 64);
    }
    p256_number product = {{t[0], t[1], t[2], t[3]}};
    return p256_reduced(product, t[4], n);
}

#endif
#endif
