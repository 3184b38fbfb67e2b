#ifndef COUNTERSIGN_TWIN_H
#define COUNTERSIGN_TWIN_H

#include <stdbool.h>
#include <stddef.h>

/* OpenSSL's EVP calls as fast as they go from one thread: the digest in a reused EVP_MD_CTX, the key in a reused
   EVP_PKEY_CTX, Ed25519 in an EVP_MD_CTX that is initialised once. */
typedef struct twin twin;

/* A key from PKCS#8 DER for one of the JOSE names ES256, ES384, EdDSA, PS256, RS256; NULL if anything fails. */
twin *twin_new(const char *algorithm, const unsigned char *key, size_t count);
void twin_free(twin *twin);

/* The longest signature in bytes. */
#define TWIN_MAX_SIGNATURE 512

/* Signs; an ECDSA signature is DER, as EVP leaves it. 0 if it fails, else the signature's bytes. */
size_t twin_sign(twin *twin, const unsigned char *message, size_t count, unsigned char *signature);

/* Whether a signature, of the form that twin_sign makes, is valid. */
bool twin_verify(
    twin *twin, const unsigned char *message, size_t count, const unsigned char *signature, size_t signature_count);

/* The same for a signature as JOSE writes it: ECDSA's r and s side by side. Writes DER; 0 if it fails. */
size_t twin_der_of_jose(
    twin *twin, const unsigned char *signature, size_t signature_count, unsigned char *der);

/* Argon2id, 19 MiB, 2 passes, 1 lane, by libargon2's own call. */
bool twin_argon2id(const unsigned char *password, size_t count, const unsigned char salt[16], unsigned char tag[32]);

/* The version of the OpenSSL that is loaded. */
const char *twin_openssl_version(void);

/* The CPU time of this process, in nanoseconds. */
unsigned long long twin_cpu_time(void);

#endif
