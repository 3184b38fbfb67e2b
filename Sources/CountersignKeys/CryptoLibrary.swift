import COpenSSL

/// OpenSSL as a whole: its start and its version.
package enum CryptoLibrary {
    /// Starts OpenSSL once, before its first use, without its configuration file: what a machine's administrator
    /// put there must not change which signatures hold, and reading it costs 0.5 ms. It is also not torn down at exit,
    /// where other threads may still be at work.
    package static func prepare() {
        _ = isPrepared
    }

    private static let isPrepared: Bool =
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT), nil) == 1

    /// Has OpenSSL leave out, for the whole process, what we have no use for: half of the time of a first key. Only for a program in which
    /// nobody else uses OpenSSL, whose certificates for example need what is left out. Before anything else of ours.
    package static func spareParts() {
        _ = isSpared
    }

    private static let isSpared: Bool =
        OPENSSL_init_crypto(
            UInt64(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT) | countersign_spared_parts(), nil) == 1

    /// Loads the texts of OpenSSL's errors once, before the first is told.
    static func prepareErrorTexts() {
        _ = hasErrorTexts
    }

    private static let hasErrorTexts: Void = countersign_load_error_texts()

    /// The version of the library that is linked, for example `OpenSSL 3.0.19 27 Jan 2026`.
    package static var version: String {
        unsafe String(cString: OpenSSL_version(OPENSSL_VERSION))
    }

    /// Ends the process where OpenSSL cannot get a few hundred bytes, as Swift's own allocations do.
    static func outOfMemory() -> Never {
        preconditionFailure("OpenSSL: out of memory")
    }
}
