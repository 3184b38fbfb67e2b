#ifndef COUNTERSIGN_CARGON2_SHIM_H
#define COUNTERSIGN_CARGON2_SHIM_H
#include <argon2.h>
#endif
