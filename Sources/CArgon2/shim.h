#ifndef COUNTERSIGN_CARGON2_SHIM_H
#define COUNTERSIGN_CARGON2_SHIM_H
#include <argon2.h>
#include <stddef.h>

// The memory of the hash that this thread computes: libargon2 asks for it by a call that says nothing of which hash it is for.
struct countersign_argon2_memory {
    void *start;
    size_t count;
};

static inline struct countersign_argon2_memory *countersign_argon2_lent(void) {
    static _Thread_local struct countersign_argon2_memory lent;
    return &lent;
}

static inline int countersign_argon2_take(uint8_t **memory, size_t count) {
    struct countersign_argon2_memory lent = *countersign_argon2_lent();
    *memory = count <= lent.count ? (uint8_t *)lent.start : NULL;
    return *memory ? ARGON2_OK : ARGON2_MEMORY_ALLOCATION_ERROR;
}

// libargon2 has wiped it; it stays with whoever lent it.
static inline void countersign_argon2_give_back(uint8_t *memory, size_t count) {}

// As argon2id_hash_raw, in memory that is lent for it. The password and the salt are only read.
static inline int countersign_argon2id(
    uint32_t passes, uint32_t kibibytes, uint32_t lanes, const void *password, size_t password_count,
    const void *salt, size_t salt_count, void *tag, size_t tag_count, void *memory, size_t memory_count) {
    argon2_context context = {
        .out = (uint8_t *)tag, .outlen = (uint32_t)tag_count, .pwd = (uint8_t *)password,
        .pwdlen = (uint32_t)password_count, .salt = (uint8_t *)salt, .saltlen = (uint32_t)salt_count,
        .t_cost = passes, .m_cost = kibibytes, .lanes = lanes, .threads = lanes, .version = ARGON2_VERSION_NUMBER,
        .allocate_cbk = countersign_argon2_take, .free_cbk = countersign_argon2_give_back,
        .flags = ARGON2_DEFAULT_FLAGS,
    };
    *countersign_argon2_lent() = (struct countersign_argon2_memory){memory, memory_count};
    int status = argon2id_ctx(&context);
    *countersign_argon2_lent() = (struct countersign_argon2_memory){NULL, 0};
    return status;
}
#endif
