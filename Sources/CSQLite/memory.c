#include "CSQLite.h"
#include <sqlite3.h>

void countersign_count_no_memory(void) { (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
