import CountersignClient
import Wire

/// The compact texts of a service, which are printed as they are: nothing but base64url and dots may be in them, so that none can
/// be something else to a terminal or to whoever reads line by line.
enum CompactText {
    /// The bytes of a text.
    static func checked(_ text: String, _ what: String) throws(ServiceError) -> [UInt8] {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isPlain else { throw .protocolViolation("the service's \(what) is none") }
        return Array(text.utf8)
    }

    /// A record whose statement is one by its letters.
    static func checked(_ message: StatementMessage) throws(ServiceError) -> StatementMessage {
        _ = try checked(message.statement, "statement")
        return message
    }
}
