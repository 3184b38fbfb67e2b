/// How a store file is used by this process.
package struct SQLiteSettings: Sendable, Hashable {
    /// How long another process may hold the write lock before we say `busy`, in milliseconds.
    package var busyTimeout: Int
    /// How many reads may run at once.
    package var readers: Int

    /// With how many pages the log is copied into the file: of 4 KiB, so that it has some 32 MiB. Most are written many times before.
    package var logPages: Int

    package init(busyTimeout: Int = 5_000, readers: Int = 2, logPages: Int = 8_000) {
        self.busyTimeout = max(0, busyTimeout)
        self.readers = max(1, readers)
        self.logPages = max(1, logPages)
    }
}
