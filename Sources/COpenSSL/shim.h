#ifndef COUNTERSIGN_COPENSSL_SHIM_H
#define COUNTERSIGN_COPENSSL_SHIM_H
#include <openssl/evp.h>
#include <openssl/crypto.h>
#endif
