import CountersignVerifier

extension Refusal {
    /// The numbers behind a refusal. Times are milliseconds since 1970, offsets bytes of UTF-8.
    package enum Fact: Sendable, Hashable {
        /// How many answers may still be wrong. With 0 the ceremony is over.
        case attemptsLeft(Int)
        /// How many match codes may still be wrong. With 0 the question is over.
        case codesLeft(Int)
        /// A text is longer than allowed, in extended grapheme clusters.
        case characters(count: Int, limit: Int)
        /// A text is longer than allowed, in bytes.
        case bytes(count: Int, limit: Int)
        /// A text is shorter than allowed, in extended grapheme clusters or code points; how much is not said of a secret.
        case minimum(Int)
        /// The refused character and where it is.
        case character(Unicode.Scalar, offset: Int)
        /// Where the first byte is that is not UTF-8.
        case notUTF8(offset: Int)
        /// The pair that was asked for.
        case pair(level: Int, type: Int)
        /// Level 0 is switched off.
        case levelZeroOff
        /// Neither the service nor the device has what the level needs.
        case noAuthenticator
        /// Devices may not be changed before this time (rule D11).
        case coolingOff(until: Int64)
        /// A newly activated device may not sign or approve before this time.
        case probation(until: Int64)
        /// How far the clock is behind.
        case behind(seconds: Int64)
        /// The state that a key is in: published, active, retired or revoked.
        case keyState(String)
        /// The member of a JSON object that is meant, by its name: as it was read, so of any length and content.
        case member(String)
        /// After how long trying again can help.
        case retryAfter(seconds: Int)
        /// How long ago a log-in may be at most (RFC 9470 section 3).
        case maxAge(seconds: Int64)
        /// How many, or how many bytes, are allowed.
        case limit(Int)
        /// Which payload of a batch is meant, from 1, with what is to be said of it.
        indirect case item(Int, Fact?)

        /// The fact as a sentence.
        package var text: String {
            switch self {
            case .attemptsLeft(let left) where left <= 0:
                "No attempts are left. Wait some minutes before you start again."
            case .attemptsLeft(let left): "Attempts left: \(left)."
            case .codesLeft(let left) where left <= 0: "That was the last: the question is over."
            case .codesLeft(let left): "Codes left: \(left)."
            case .characters(let count, let limit): "It has \(count) characters, and \(limit) are allowed."
            case .bytes(let count, let limit): "It has \(count) bytes, and \(limit) are allowed."
            case .minimum(let minimum): "At least \(minimum) characters are needed."
            case .character(let scalar, let offset): "It is \(Self.name(of: scalar)) at byte \(offset)."
            case .notUTF8(let offset): "The first wrong byte is at \(offset)."
            case .pair(let level, let type): "Level \(level) with type \(type) was asked for."
            case .levelZeroOff: "Level 0 is switched off."
            case .noAuthenticator: "There is no authenticator for this level."
            case .coolingOff(let until): "Devices were changed often; wait until \(UTCTime.text(until))."
            case .probation(let until): "It was activated a short time ago; wait until \(UTCTime.text(until))."
            case .behind(let seconds): "It is \(seconds) seconds behind."
            case .keyState(let state): "It is \(state)."
            case .member(let name): "The member is \"\(Self.shown(name))\"."
            case .retryAfter(let seconds): "Wait \(seconds) seconds."
            case .maxAge(let seconds): "It may be \(seconds) seconds ago at most."
            case .limit(let limit): "The limit is \(limit)."
            case .item(let position, let fact):
                (fact.map { $0.text + " " } ?? "") + "It is number \(position) of the batch."
            }
        }

        /// A name from outside: at most 64 characters of it, with nothing that a terminal obeys.
        private static func shown(_ name: String) -> String {
            let start = String(String.UnicodeScalarView(name.unicodeScalars.prefix(64)))
            return TextEscape.escaped(start) + (start.utf8.count < name.utf8.count ? "..." : "")
        }

        /// `U+202E`: a refused character is named, never shown.
        private static func name(of scalar: Unicode.Scalar) -> String {
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }
}
