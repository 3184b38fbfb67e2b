// What the command and the service ask of Linux. Swift cannot call prctl, which is variadic, and knows no statfs.
#ifndef COUNTERSIGN_CPROCESS_SHIM_H
#define COUNTERSIGN_CPROCESS_SHIM_H
#include <malloc.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/vfs.h>

/// No core file and no debugger of another process may read this one's memory. 0 when it is so.
static inline int countersign_forbid_dumps(void) {
    return prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L);
}

/// The kernel's number for the kind of file system that a path lies on: statfs(2). -1 where it cannot be asked.
static inline long countersign_file_system(const char *path) {
    struct statfs facts;
    return statfs(path, &facts) == 0 ? (long)facts.f_type : -1;
}

/// libdispatch tells the system's log each time that a thread may not have the priority it asks for, which only root's may. 0 when it
/// does not. To be called before there is another thread.
static inline int countersign_quiet_dispatch(void) {
    return setenv("LIBDISPATCH_LOG", "NO", 0);
}

/// All threads share one heap, which grows by a megabyte. By itself each thread gets one of its own that grows page by page, a call of the
/// system each: right for threads that work for long beside each other, not for a process that ends after milliseconds.
static inline void countersign_share_heap(void) {
    (void)mallopt(M_ARENA_MAX, 1);
    (void)mallopt(M_TOP_PAD, 1 << 20);
}
#endif
