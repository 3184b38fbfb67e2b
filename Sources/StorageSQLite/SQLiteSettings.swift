/// How a store file is used by this process.
package struct SQLiteSettings: Sendable, Hashable {
    /// How long another process may hold the write lock before we say `busy`, in milliseconds.
    package var busyTimeout: Int
    /// How many reads may run at once.
    package var readers: Int

    package init(busyTimeout: Int = 5_000, readers: Int = 2) {
        self.busyTimeout = max(0, busyTimeout)
        self.readers = max(1, readers)
    }
}
