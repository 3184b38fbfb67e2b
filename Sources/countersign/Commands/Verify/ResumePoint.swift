import CountersignJOSE
import CountersignKeys
import CountersignVerifier

/// What the file of `verify --resume` says: which run it belongs to, and how far its verdicts are written.
struct ResumePoint: Equatable {
    enum State: String {
        /// The run may have been killed, and have written more than this says.
        case running
        /// Nothing was written behind this place.
        case stopped
        /// There are no more lines.
        case done
    }

    let run: ResumableRun
    var state: State
    var place: VerificationPlace

    /// More bytes than such a file ever has.
    static let maxBytes = 4096
    /// The greatest number that every reader of JSON takes exactly.
    private static let maxNumber = 1 << 53

    /// The bytes of the file: one JSON object that ends with the digest of all before it.
    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(name: "typ", string: "countersign-resume/1")
        writer.member(name: "input", string: run.input)
        writer.member(name: "trust", string: run.trust)
        writer.member(name: "options", string: run.options)
        writer.member(name: "output", string: run.output)
        writer.member(name: "state", string: state.rawValue)
        writer.member(name: "offset", integer: Int64(place.offset))
        writer.member(name: "length", integer: Int64(place.output))
        writer.member(name: "valid", integer: Int64(place.tally.valid))
        writer.member(name: "invalid", integer: Int64(place.tally.invalid))
        writer.member(name: "indeterminate", integer: Int64(place.tally.indeterminate))
        writer.member(name: "digest", string: Hex.text(of: SHA256.hash(writer.bytes.span)))
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    init(run: ResumableRun, state: State, place: VerificationPlace) {
        self.run = run
        self.state = state
        self.place = place
    }

    /// Reads what `bytes` gives; nil for everything that `bytes` would not give, and for what cannot be so.
    init?(_ bytes: [UInt8]) {
        guard let members = try? JSON(parsing: bytes, maxBytes: Self.maxBytes).object,
            let input = members["input"]?.string, let trust = members["trust"]?.string,
            let options = members["options"]?.string, let output = members["output"]?.string,
            let state = members["state"]?.string.flatMap(State.init(rawValue:)),
            let offset = Self.number(members["offset"], atMost: Self.maxNumber),
            let length = Self.number(members["length"], atMost: Self.maxNumber),
            // A line has a byte at least.
            let valid = Self.number(members["valid"], atMost: offset),
            let invalid = Self.number(members["invalid"], atMost: offset),
            let indeterminate = Self.number(members["indeterminate"], atMost: offset),
            valid + invalid + indeterminate <= offset
        else { return nil }
        self.init(
            run: ResumableRun(input: input, trust: trust, options: options, output: output), state: state,
            place: VerificationPlace(
                offset: offset, tally: Tally(valid: valid, invalid: invalid, indeterminate: indeterminate),
                output: length))
        guard self.bytes == bytes else { return nil }
    }

    private static func number(_ value: JSON?, atMost limit: Int) -> Int? {
        guard let number = value?.integer, (0...Int64(limit)).contains(number) else { return nil }
        return Int(number)
    }
}

/// What makes one run of `verify` over a file the same as another.
struct ResumableRun: Equatable {
    /// The digest of what tells the input from another.
    let input: String
    /// The digest of the trusted keys.
    let trust: String
    /// The digest of the policy and the form of the verdicts.
    let options: String
    /// Which file standard output is; empty where it is no regular file.
    let output: String
}
