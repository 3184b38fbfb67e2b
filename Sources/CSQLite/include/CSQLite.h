// What Swift cannot ask of SQLite by itself.
#ifndef COUNTERSIGN_CSQLITE_H
#define COUNTERSIGN_CSQLITE_H

/// SQLite keeps no account of its memory: with one it takes a lock of the whole process for each piece. To be called before SQLite is used;
/// later it changes nothing.
void countersign_count_no_memory(void);

struct sqlite3;

/// The writes of a commit to the write-ahead log, gathered: see `gathering.c`. For one connection, on one thread at a time.
typedef struct countersign_gathering countersign_gathering;

/// Null where there is no memory: then each write goes its own way.
countersign_gathering *countersign_gathering_new(void);

void countersign_gathering_free(countersign_gathering *gathering);

/// Right before COMMIT, on a connection with a write-ahead log and `synchronous=FULL`.
void countersign_gathering_begin(countersign_gathering *gathering, struct sqlite3 *database);

/// Right after it, whatever came of it.
void countersign_gathering_end(countersign_gathering *gathering);

#endif
