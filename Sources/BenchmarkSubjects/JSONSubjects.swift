internal import CountersignJOSE
internal import CountersignVerifier

/// Strict JSON and statements without their signature.
public enum JSONSubjects {
    /// All that is done for a statement but the signature, one statement after the other: base64url, the reader for a known
    /// shape, every rule of the values, the comparison with the claims encoded again, and the policy.
    public static func statementReading(_ statements: [[UInt8]]) -> Subject {
        let policy = Policy()
        return { count in
            var form = StatementForm()
            for index in 0..<count { try read(statements[index % statements.count], &form, policy) }
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

    /// The base64url of a statement's claims to bytes.
    public static func decoding(_ statement: [UInt8]) throws -> Subject {
        let text = try payload(of: statement)
        return { count in
            var bytes: [UInt8] = []
            for _ in 0..<count { try decode(text, into: &bytes) }
            return []
        }
    }

    /// The bytes of a statement's claims to base64url.
    public static func encoding(_ statement: [UInt8]) throws -> Subject {
        let bytes = try claims(of: statement)
        return { count in
            var text: [UInt8] = []
            for _ in 0..<count { encode(bytes, into: &text) }
            return []
        }
    }

    private static func read(_ statement: [UInt8], _ form: inout StatementForm, _ policy: Policy) throws {
        let read = try form.read(statement.span)
        guard policy.failure(of: read.claims, algorithm: read.algorithm, at: ExampleClaims.time) == nil else {
            throw SubjectFailure("the policy refused a good statement")
        }
    }

    private static func decode(_ text: [UInt8], into bytes: inout [UInt8]) throws {
        bytes.removeAll(keepingCapacity: true)
        guard Base64URL.decode(text.span, into: &bytes) else { throw SubjectFailure("not base64url") }
    }

    private static func encode(_ bytes: [UInt8], into text: inout [UInt8]) {
        text.removeAll(keepingCapacity: true)
        Base64URL.append(bytes.span, to: &text)
    }

    private static func payload(of statement: [UInt8]) throws -> [UInt8] {
        let parts = statement.split(separator: UInt8(ascii: ".")).map(Array.init)
        guard parts.count == 3 else { throw SubjectFailure("not a statement") }
        return parts[1]
    }

    private static func claims(of statement: [UInt8]) throws -> [UInt8] {
        let text = try payload(of: statement)
        guard let bytes = Base64URL.decode(text.span) else {
            throw SubjectFailure("not base64url")
        }
        return bytes
    }
}
