// SQLite writes each page of a commit to its write-ahead log with two calls of the system: 24 bytes that describe the page, then the
// page. These lie one behind the other, so they can be one write. While a connection commits, the log's file has a table of methods that
// keeps what is written and hands it to the real methods in one piece: before the log is flushed, before anything else is done with
// the file, and where the piece is full or a write lies elsewhere.
//
// Why nobody can miss anything or see too much:
//
// - The table is there from right before COMMIT to right after it. All that time the connection has the store's write lock, so that
//   nobody else writes the log, restarts it or recovers it. What a large transaction writes before its COMMIT is written as ever:
//   kept for longer, a piece of one that is rolled back could be written over what another process committed since.
// - Others read of the log what the wal-index says is committed. SQLite puts that there when it has written all pages and flushed the
//   log, and the flush is called for what is kept. With `synchronous=FULL` there is a flush in each commit; and it is the last that is
//   done with the log before, unless the file system may destroy what is beside a write at a loss of power: then more copies of the
//   last page follow, and nothing is gathered.
// - The connection itself reads pages back, to sum them anew: what is kept is written before each read.
// - The order is kept: pieces are written in the order in which their writes came.
// - A piece that cannot be written fails the call that asked for it, and each later write and flush of this commit, with the code that
//   the write itself would have had: SQLite rolls back. What is left in the file lies behind what is committed, where the next commit
//   writes, as after any write that failed. The sums by which SQLite knows a whole commit tell that it is none.
// - A process that is killed loses what it kept. Its commit had not been flushed, and nobody was told of it.
#include "CSQLite.h"
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// SQLite's files for Unix take 17 bits of a length, and write less than they were told where there is more.
enum { largest_piece = 0x1ffff };

struct countersign_gathering {
    // The first, so that a file's table leads here.
    sqlite3_io_methods methods;
    // The file whose table is replaced; null: none is.
    sqlite3_file *file;
    const sqlite3_io_methods *real;
    // Why a piece could not be written.
    int failure;
    // Where what is kept belongs, and how much it is.
    sqlite3_int64 offset;
    int count;
    unsigned char bytes[largest_piece];
};

static countersign_gathering *of(sqlite3_file *file) { return (countersign_gathering *)file->pMethods; }

// Writes what is kept. Afterwards nothing is.
static int write_piece(countersign_gathering *gathering) {
    int count = gathering->count;
    if (count == 0) return SQLITE_OK;
    gathering->count = 0;
    int code = gathering->real->xWrite(gathering->file, gathering->bytes, count, gathering->offset);
    if (code != SQLITE_OK) gathering->failure = code;
    return code;
}

static int gather_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    countersign_gathering *gathering = of(file);
    if (gathering->failure != SQLITE_OK) return gathering->failure;
    if (offset != gathering->offset + gathering->count || count > largest_piece - gathering->count) {
        int code = write_piece(gathering);
        if (code != SQLITE_OK) return code;
        if (count > largest_piece) return gathering->real->xWrite(file, bytes, count, offset);
        gathering->offset = offset;
    }
    memcpy(gathering->bytes + gathering->count, bytes, (size_t)count);
    gathering->count += count;
    return SQLITE_OK;
}

static int gather_sync(sqlite3_file *file, int flags) {
    countersign_gathering *gathering = of(file);
    if (gathering->failure != SQLITE_OK) return gathering->failure;
    int code = write_piece(gathering);
    return code != SQLITE_OK ? code : gathering->real->xSync(file, flags);
}

static int gather_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    int code = write_piece(of(file));
    return code != SQLITE_OK ? code : of(file)->real->xRead(file, bytes, count, offset);
}

static int gather_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int code = write_piece(of(file));
    return code != SQLITE_OK ? code : of(file)->real->xTruncate(file, size);
}

static int gather_size(sqlite3_file *file, sqlite3_int64 *size) {
    int code = write_piece(of(file));
    return code != SQLITE_OK ? code : of(file)->real->xFileSize(file, size);
}

static int gather_control(sqlite3_file *file, int operation, void *argument) {
    int code = write_piece(of(file));
    return code != SQLITE_OK ? code : of(file)->real->xFileControl(file, operation, argument);
}

static int gather_close(sqlite3_file *file) {
    countersign_gathering *gathering = of(file);
    int code = write_piece(gathering);
    file->pMethods = gathering->real;
    gathering->file = NULL;
    int closed = file->pMethods->xClose(file);
    return code != SQLITE_OK ? code : closed;
}

// A log has no locks of its own, and these say nothing of what is in it.
static int gather_lock(sqlite3_file *file, int level) { return of(file)->real->xLock(file, level); }
static int gather_unlock(sqlite3_file *file, int level) { return of(file)->real->xUnlock(file, level); }
static int gather_check_lock(sqlite3_file *file, int *answer) { return of(file)->real->xCheckReservedLock(file, answer); }
static int gather_sector(sqlite3_file *file) { return of(file)->real->xSectorSize(file); }
static int gather_characteristics(sqlite3_file *file) { return of(file)->real->xDeviceCharacteristics(file); }

countersign_gathering *countersign_gathering_new(void) {
    countersign_gathering *gathering = calloc(1, sizeof *gathering);
    if (gathering == NULL) return NULL;
    // Version 1: shared memory and mappings are the database file's.
    gathering->methods = (sqlite3_io_methods){
        .iVersion = 1,
        .xClose = gather_close,
        .xRead = gather_read,
        .xWrite = gather_write,
        .xTruncate = gather_truncate,
        .xSync = gather_sync,
        .xFileSize = gather_size,
        .xLock = gather_lock,
        .xUnlock = gather_unlock,
        .xCheckReservedLock = gather_check_lock,
        .xFileControl = gather_control,
        .xSectorSize = gather_sector,
        .xDeviceCharacteristics = gather_characteristics,
    };
    return gathering;
}

void countersign_gathering_free(countersign_gathering *gathering) {
    if (gathering != NULL) countersign_gathering_end(gathering);
    free(gathering);
}

// Whether a write destroys nothing beside it, so that SQLite's last act before a commit is seen is the flush.
static int is_flushed_last(sqlite3 *database) {
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    return code == SQLITE_OK && file != NULL && file->pMethods != NULL
        && (file->pMethods->xDeviceCharacteristics(file) & SQLITE_IOCAP_POWERSAFE_OVERWRITE) != 0;
}

void countersign_gathering_begin(countersign_gathering *gathering, sqlite3 *database) {
    if (gathering == NULL || gathering->file != NULL || !is_flushed_last(database)) return;
    sqlite3_file *log = NULL;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (code != SQLITE_OK || log == NULL || log->pMethods == NULL) return;
    gathering->file = log;
    gathering->real = log->pMethods;
    gathering->failure = SQLITE_OK;
    gathering->count = 0;
    log->pMethods = &gathering->methods;
}

void countersign_gathering_end(countersign_gathering *gathering) {
    if (gathering == NULL || gathering->file == NULL) return;
    // Something is left only where the commit failed before its flush: it was rolled back, and belongs to nobody.
    gathering->count = 0;
    gathering->file->pMethods = gathering->real;
    gathering->file = NULL;
}
