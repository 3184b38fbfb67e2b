internal import CountersignJOSE
internal import CountersignVerifier

/// Strict JSON and statements without their signature.
public enum JSONSubjects {
    /// A statement to its claims, unverified: base64url, the reader for a known shape, every rule of the values, and the
    /// comparison with the claims encoded again.
    public static func statementReading(_ statement: [UInt8]) -> Subject {
        { count in
            for _ in 0..<count {
                guard try UnverifiedStatement(statement.span).claims.level == .one else {
                    throw SubjectFailure("the level was lost")
                }
            }
            return []
        }
    }

    /// The JSON of a statement's claims to a tree, as untrusted JSON of any shape is read.
    public static func treeReading(_ statement: [UInt8]) throws -> Subject {
        let bytes = try claims(of: statement)
        return { count in
            for _ in 0..<count {
                guard case .object = try JSON(parsing: bytes.span, maxBytes: bytes.count) else {
                    throw SubjectFailure("the claims are no object")
                }
            }
            return []
        }
    }

    /// The tree to canonical JSON (RFC 8785).
    public static func canonicalWriting(_ statement: [UInt8]) throws -> Subject {
        let bytes = try claims(of: statement)
        let tree = try JSON(parsing: bytes.span, maxBytes: bytes.count)
        return { count in
            for _ in 0..<count where tree.canonical().count != bytes.count {
                throw SubjectFailure("the tree was written to another length")
            }
            return []
        }
    }

    private static func claims(of statement: [UInt8]) throws -> [UInt8] {
        let parts = statement.split(separator: UInt8(ascii: ".")).map(Array.init)
        let payload = parts.count == 3 ? parts[1] : []
        guard let bytes = Base64URL.decode(payload.span) else {
            throw SubjectFailure("not a statement")
        }
        return bytes
    }
}
