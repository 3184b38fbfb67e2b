#ifndef COUNTERSIGN_COPENSSL_SHIM_H
#define COUNTERSIGN_COPENSSL_SHIM_H

#include <openssl/asn1.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/cryptoerr_legacy.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

/* Newer versions may drop the calls that load the texts of one library. */
#if OPENSSL_VERSION_MAJOR == 3 && !defined(OPENSSL_NO_DEPRECATED_3_0)
#define COUNTERSIGN_CAN_LOAD_ERROR_TEXTS
#endif

/* Parameter lists hold borrowed C strings, which Swift literals do not outlive a call; so those that are needed are
   put together here. The keys return NULL with OpenSSL's error queue filled. */

static inline EVP_PKEY *countersign_key(const char *type, int selection, OSSL_PARAM_BLD *builder) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (parameters != NULL && context != NULL && EVP_PKEY_fromdata_init(context) == 1
        && EVP_PKEY_fromdata(context, &key, selection, parameters) != 1) {
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    return key;
}

/* An EC public key from an encoded point. OpenSSL refuses a point that is not on the curve. */
static inline EVP_PKEY *countersign_ec_public_key(const char *group, const unsigned char *point, size_t count) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (builder != NULL
        && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, group, 0) == 1
        && OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, count) == 1) {
        key = countersign_key("EC", EVP_PKEY_PUBLIC_KEY, builder);
    }
    OSSL_PARAM_BLD_free(builder);
    return key;
}

/* An EC private key from a big-endian number and the encoded point that is said to belong to it, which OpenSSL does not compare here. */
static inline EVP_PKEY *countersign_ec_key_pair(
    const char *group, const unsigned char *number, int width, const unsigned char *point, size_t count) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    /* What is made of a secure number is wiped. */
    BIGNUM *secret = BN_secure_new();
    if (builder != NULL && secret != NULL && BN_bin2bn(number, width, secret) != NULL
        && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, group, 0) == 1
        && OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, count) == 1
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, secret) == 1) {
        key = countersign_key("EC", EVP_PKEY_KEYPAIR, builder);
    }
    BN_clear_free(secret);
    OSSL_PARAM_BLD_free(builder);
    return key;
}

/* An RSA public key from a big-endian modulus and a small exponent. */
static inline EVP_PKEY *countersign_rsa_public_key(const unsigned char *modulus, int count, unsigned long exponent) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    BIGNUM *n = BN_bin2bn(modulus, count, NULL);
    if (builder != NULL && n != NULL
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1
        && OSSL_PARAM_BLD_push_ulong(builder, OSSL_PKEY_PARAM_RSA_E, exponent) == 1) {
        key = countersign_key("RSA", EVP_PKEY_PUBLIC_KEY, builder);
    }
    BN_free(n);
    OSSL_PARAM_BLD_free(builder);
    return key;
}

/* What `CryptoLibrary.spareParts` leaves out. The names of ciphers and digests for OpenSSL 1.1's calls, which nobody here makes: what is
   fetched has the providers' names. And the texts of errors, 4,000 of them, which OpenSSL loads before its first error is even possible: see
   `countersign_load_error_texts`. */
static inline uint64_t countersign_spared_parts(void) {
    uint64_t parts = OPENSSL_INIT_NO_ADD_ALL_CIPHERS | OPENSSL_INIT_NO_ADD_ALL_DIGESTS;
#ifdef COUNTERSIGN_CAN_LOAD_ERROR_TEXTS
    parts |= OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS;
#endif
    return parts;
}

/* The texts of the libraries whose errors we meet. OpenSSL calls these functions deprecated because it loads them all by itself. */
static inline void countersign_load_error_texts(void) {
#ifdef COUNTERSIGN_CAN_LOAD_ERROR_TEXTS
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    (void)ERR_load_ERR_strings();
    (void)ERR_load_CRYPTO_strings();
    (void)ERR_load_EVP_strings();
    (void)ERR_load_ASN1_strings();
    (void)ERR_load_X509_strings();
    (void)ERR_load_BN_strings();
    (void)ERR_load_EC_strings();
    (void)ERR_load_RSA_strings();
    (void)ERR_load_PKCS12_strings();
#pragma GCC diagnostic pop
#endif
}

/* A context of HMAC-SHA256 with its key. `mac` is OpenSSL's HMAC. NULL where there is none. */
static inline EVP_MAC_CTX *countersign_hmac_sha256_new(EVP_MAC *mac, const unsigned char *key, size_t count) {
    char digest[] = "SHA2-256";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0), OSSL_PARAM_construct_end()};
    EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
    if (context != NULL && EVP_MAC_init(context, key, count, parameters) != 1) {
        EVP_MAC_CTX_free(context);
        return NULL;
    }
    return context;
}

/* The tag of a message, by a copy of a context with its key, which is only read: several threads may use one. (Early
   releases of OpenSSL 3.0 say that they begin such a context again, and do not.) `output` has room for 32 bytes. 1 where it is done. */
static inline int countersign_hmac_sha256(
    const EVP_MAC_CTX *keyed, const unsigned char *message, size_t count, unsigned char *output) {
    size_t written = 0;
    EVP_MAC_CTX *context = EVP_MAC_CTX_dup(keyed);
    int isDone = context != NULL && EVP_MAC_update(context, message, count) == 1
        && EVP_MAC_final(context, output, &written, 32) == 1 && written == 32;
    EVP_MAC_CTX_free(context);
    return isDone;
}

#endif
