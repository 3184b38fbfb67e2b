#ifndef COUNTERSIGN_P256_TABLE_H
#define COUNTERSIGN_P256_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* Verification of many ECDSA signatures of P-256 keys (FIPS 186-5, section 6.4.2). Public keys and signatures only: nothing
   here takes constant time. */

/* Multiples of one point. Once made it is only read: threads share it. */
typedef struct countersign_p256_table countersign_p256_table;

/* What one thread works with. */
typedef struct countersign_p256_work countersign_p256_work;

/* How many signatures are checked in one go at most. */
enum { countersign_p256_batch = 512 };

/* The bytes of one signature to check: the hash of what was signed, r and s, each 32 bytes, big-endian. */
enum { countersign_p256_entry = 96 };

/* Computes the table of a point from its 65 bytes (SEC 1, section 2.3.4, uncompressed). NULL where memory is short or where
   this compiler has no numbers of 128 bits; the caller then verifies one by one. */
countersign_p256_table *countersign_p256_table_new(const uint8_t *point);
void countersign_p256_table_free(countersign_p256_table *table);

countersign_p256_work *countersign_p256_work_new(void);
void countersign_p256_work_free(countersign_p256_work *work);

/* Checks `count` signatures, no more than a batch, of any keys: `tables` has that of each one's key, `base` is the curve's
   generator's. Writes 1 for each that is right, 0 for each that is wrong or could not be told. */
void countersign_p256_check(
    countersign_p256_work *work, const countersign_p256_table *base, const countersign_p256_table *const *tables,
    const uint8_t *entries, size_t count, uint8_t *verdicts);

#endif
