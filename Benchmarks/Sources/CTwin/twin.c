#include "twin.h"

#include <argon2.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct twin {
    EVP_PKEY *key;
    EVP_MD *digest; /* NULL for Ed25519 */
    EVP_MD_CTX *hashing;
    EVP_PKEY_CTX *signing, *verifying;
    EVP_MD_CTX *whole_signing, *whole_verifying; /* Ed25519 alone */
    bool is_ecdsa;
};

static bool set_rsa_padding(EVP_PKEY_CTX *context, const char *algorithm, const EVP_MD *digest) {
    if (strcmp(algorithm, "RS256") == 0) return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1;
    if (strcmp(algorithm, "PS256") != 0) return true;
    return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_mgf1_md(context, digest) == 1
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, 32) == 1;
}

static bool prepare_whole(twin *twin) {
    twin->whole_signing = EVP_MD_CTX_new();
    twin->whole_verifying = EVP_MD_CTX_new();
    return twin->whole_signing != NULL && twin->whole_verifying != NULL
        && EVP_DigestSignInit(twin->whole_signing, NULL, NULL, NULL, twin->key) == 1
        && EVP_DigestVerifyInit(twin->whole_verifying, NULL, NULL, NULL, twin->key) == 1;
}

static bool prepare_digest(twin *twin, const char *algorithm) {
    twin->digest = EVP_MD_fetch(NULL, strcmp(algorithm, "ES384") == 0 ? "SHA2-384" : "SHA2-256", NULL);
    twin->hashing = EVP_MD_CTX_new();
    twin->signing = EVP_PKEY_CTX_new_from_pkey(NULL, twin->key, NULL);
    twin->verifying = EVP_PKEY_CTX_new_from_pkey(NULL, twin->key, NULL);
    twin->is_ecdsa = strncmp(algorithm, "ES", 2) == 0;
    return twin->digest != NULL && twin->hashing != NULL && twin->signing != NULL && twin->verifying != NULL
        && EVP_PKEY_sign_init(twin->signing) == 1 && EVP_PKEY_verify_init(twin->verifying) == 1
        && EVP_PKEY_CTX_set_signature_md(twin->signing, twin->digest) == 1
        && EVP_PKEY_CTX_set_signature_md(twin->verifying, twin->digest) == 1
        && set_rsa_padding(twin->signing, algorithm, twin->digest)
        && set_rsa_padding(twin->verifying, algorithm, twin->digest);
}

twin *twin_new(const char *algorithm, const unsigned char *key, size_t count) {
    twin *twin = calloc(1, sizeof *twin);
    if (twin == NULL) return NULL;
    twin->key = d2i_AutoPrivateKey(NULL, &key, (long)count);
    bool is_ready = twin->key != NULL
        && (strcmp(algorithm, "EdDSA") == 0 ? prepare_whole(twin) : prepare_digest(twin, algorithm));
    if (is_ready) return twin;
    twin_free(twin);
    return NULL;
}

void twin_free(twin *twin) {
    if (twin == NULL) return;
    EVP_MD_CTX_free(twin->whole_signing);
    EVP_MD_CTX_free(twin->whole_verifying);
    EVP_PKEY_CTX_free(twin->signing);
    EVP_PKEY_CTX_free(twin->verifying);
    EVP_MD_CTX_free(twin->hashing);
    EVP_MD_free(twin->digest);
    EVP_PKEY_free(twin->key);
    free(twin);
}

static bool hash(twin *twin, const unsigned char *message, size_t count, unsigned char *hash, unsigned *hash_count) {
    return EVP_DigestInit_ex2(twin->hashing, twin->digest, NULL) == 1
        && EVP_DigestUpdate(twin->hashing, message, count) == 1
        && EVP_DigestFinal_ex(twin->hashing, hash, hash_count) == 1;
}

size_t twin_sign(twin *twin, const unsigned char *message, size_t count, unsigned char *signature) {
    size_t written = TWIN_MAX_SIGNATURE;
    if (twin->digest == NULL) {
        return EVP_DigestSign(twin->whole_signing, signature, &written, message, count) == 1 ? written : 0;
    }
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned digest_count;
    if (!hash(twin, message, count, digest, &digest_count)) return 0;
    return EVP_PKEY_sign(twin->signing, signature, &written, digest, digest_count) == 1 ? written : 0;
}

bool twin_verify(
    twin *twin, const unsigned char *message, size_t count, const unsigned char *signature, size_t signature_count) {
    if (twin->digest == NULL) {
        return EVP_DigestVerify(twin->whole_verifying, signature, signature_count, message, count) == 1;
    }
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned digest_count;
    return hash(twin, message, count, digest, &digest_count)
        && EVP_PKEY_verify(twin->verifying, signature, signature_count, digest, digest_count) == 1;
}

size_t twin_der_of_jose(
    twin *twin, const unsigned char *signature, size_t signature_count, unsigned char *der) {
    if (signature_count > TWIN_MAX_SIGNATURE) return 0;
    if (!twin->is_ecdsa) {
        memcpy(der, signature, signature_count);
        return signature_count;
    }
    int half = (int)(signature_count / 2), written = 0;
    ECDSA_SIG *parts = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(signature, half, NULL), *s = BN_bin2bn(signature + half, half, NULL);
    if (parts != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(parts, r, s) == 1) {
        written = i2d_ECDSA_SIG(parts, &der);
    } else {
        BN_free(r);
        BN_free(s);
    }
    ECDSA_SIG_free(parts);
    return written > 0 ? (size_t)written : 0;
}

bool twin_argon2id(const unsigned char *password, size_t count, const unsigned char salt[16], unsigned char tag[32]) {
    return argon2id_hash_raw(2, 19456, 1, password, count, salt, 16, tag, 32) == ARGON2_OK;
}

const char *twin_openssl_version(void) {
    return OpenSSL_version(OPENSSL_VERSION);
}

unsigned long long twin_cpu_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (unsigned long long)now.tv_sec * 1000000000u + (unsigned long long)now.tv_nsec;
}
