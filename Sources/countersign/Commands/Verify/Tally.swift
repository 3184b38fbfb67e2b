import CountersignVerifier

/// How many of each verdict there were.
struct Tally: Equatable, Sendable {
    var valid = 0
    var invalid = 0
    var indeterminate = 0

    var count: Int { valid + invalid + indeterminate }

    mutating func add(_ verdict: TextVerdict) {
        switch verdict.kind {
        case .valid: valid += 1
        case .invalid: invalid += 1
        case .indeterminate: indeterminate += 1
        }
    }

    mutating func add(_ other: Tally) {
        valid += other.valid
        invalid += other.invalid
        indeterminate += other.indeterminate
    }

    /// One bad one spoils all, and invalid goes before indeterminate. Nothing at all is not a statement.
    var status: ExitStatus {
        if invalid > 0 || count == 0 { return .invalid }
        return indeterminate > 0 ? .indeterminate : .done
    }

    /// For people.
    var summary: String {
        var parts = ["\(Figures.grouped(valid)) valid"]
        if invalid > 0 { parts.append("\(Figures.grouped(invalid)) invalid") }
        if indeterminate > 0 { parts.append("\(Figures.grouped(indeterminate)) indeterminate") }
        return "\(Figures.counted(count, "statement")): " + parts.joined(separator: ", ")
    }
}
