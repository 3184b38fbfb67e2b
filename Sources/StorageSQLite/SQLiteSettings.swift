/// How a store file is used by this process.
package struct SQLiteSettings: Sendable, Hashable {
    /// How long another process may hold the write lock before we say `busy`, in milliseconds.
    package var busyTimeout: Int
    /// How many reads may run at once.
    package var readers: Int

    /// With how many pages the log is copied into the file: of 4 KiB, so that it has some 32 MiB. Most are written many times before.
    package var logPages: Int

    /// Whether reads take their turn on the connection that writes, where nobody else has the store open: for a process that does one
    /// thing and ends, a second connection is a third of the work, since SQLite reads the schema again for each.
    package var sharesConnection: Bool

    package init(
        busyTimeout: Int = 5_000, readers: Int = 2, logPages: Int = 8_000, sharesConnection: Bool = false
    ) {
        self.busyTimeout = max(0, busyTimeout)
        self.readers = max(1, readers)
        self.logPages = max(1, logPages)
        self.sharesConnection = sharesConnection
    }
}
