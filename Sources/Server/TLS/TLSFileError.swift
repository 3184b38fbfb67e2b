/// What is wrong with a certificate file or a key file.
package struct TLSFileError: Error, Sendable, CustomStringConvertible {
    /// What, with the file's name.
    package let description: String
}

extension ServerSettings.TLSFiles {
    /// Reads the files, and looks whether they belong together.
    ///
    /// - Throws: what is wrong with them.
    package func check() throws(TLSFileError) {
        do { _ = try Certificates(self) } catch { throw error }
    }
}
