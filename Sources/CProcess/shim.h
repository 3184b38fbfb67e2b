// What of Linux's process calls Swift cannot call itself: prctl is variadic.
#ifndef COUNTERSIGN_CPROCESS_SHIM_H
#define COUNTERSIGN_CPROCESS_SHIM_H
#include <sys/prctl.h>

/// No core file and no debugger of another process may read this one's memory. 0 when it is so.
static inline int countersign_forbid_dumps(void) {
    return prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L);
}
#endif
