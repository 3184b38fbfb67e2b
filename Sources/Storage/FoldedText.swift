/// Text without the difference of upper and lower case, for searching.
///
/// The program folds, not the engine: SQLite's `lower` knows ASCII only, PostgreSQL's depends on its locale.
package struct FoldedText: Sendable, Hashable {
    /// Lower case, by Unicode's mapping of each scalar.
    package let text: String

    /// Folds.
    package init(_ text: String) { self.text = text.lowercased() }

    /// With LIKE's wildcards, and the `!` that escapes them, escaped.
    var escapedForLike: String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if scalar == "%" || scalar == "_" || scalar == "!" { escaped.unicodeScalars.append("!") }
            escaped.unicodeScalars.append(scalar)
        }
        return escaped
    }
}
