#ifndef COUNTERSIGN_CARGON2_SHIM_H
#define COUNTERSIGN_CARGON2_SHIM_H
#include <argon2.h>
#include <stddef.h>
#include <sys/mman.h>

// Memory straight from the system and back to it: malloc would keep some 20 MiB for each thread that ever hashed.
static inline int countersign_argon2_map(uint8_t **memory, size_t count) {
    void *mapped = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    *memory = mapped == MAP_FAILED ? NULL : (uint8_t *)mapped;
    return *memory ? ARGON2_OK : ARGON2_MEMORY_ALLOCATION_ERROR;
}

static inline void countersign_argon2_unmap(uint8_t *memory, size_t count) { munmap(memory, count); }

// As argon2id_hash_raw, with that memory. The password and the salt are only read.
static inline int countersign_argon2id(
    uint32_t passes, uint32_t kibibytes, uint32_t lanes, const void *password, size_t password_count,
    const void *salt, size_t salt_count, void *tag, size_t tag_count) {
    argon2_context context = {
        .out = (uint8_t *)tag, .outlen = (uint32_t)tag_count, .pwd = (uint8_t *)password,
        .pwdlen = (uint32_t)password_count, .salt = (uint8_t *)salt, .saltlen = (uint32_t)salt_count,
        .t_cost = passes, .m_cost = kibibytes, .lanes = lanes, .threads = lanes, .version = ARGON2_VERSION_NUMBER,
        .allocate_cbk = countersign_argon2_map, .free_cbk = countersign_argon2_unmap, .flags = ARGON2_DEFAULT_FLAGS,
    };
    return argon2id_ctx(&context);
}
#endif
