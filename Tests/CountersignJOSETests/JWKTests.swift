import CountersignJOSE
import CountersignKeys
import Testing

@Suite("JWK: RFC 7517, RFC 7518 section 6, RFC 8037")
struct JWKTests {
    @Test("V16: every key of jwk.json is refused for its reason, or has its thumbprint")
    func vectors() throws {
        for row in try VectorRow.rows("jwk.json", members: ["name", "rule", "jwk", "refused", "kid"]) {
            let object = try #require(
                try JSON(parsing: row.bytes(or: "jwk"), maxBytes: 1 << 20).object, "\(row.name)")
            let result = Result { () throws(JWKRefusal) in try JWK(object) }
            #expect(code { () throws(JWKRefusal) in try result.get() } == row["refused"], "\(row.name)")
            #expect((try? result.get())?.keyID == row["kid"], "\(row.name)")
        }
    }

    @Test("What is written is read again, and is canonical", arguments: KeyAlgorithm.allCases)
    func roundTrip(algorithm: KeyAlgorithm) throws {
        let key = try PrivateKey(generating: algorithm, rsaBits: 2048).publicKey
        let written = JWK(key)
        let json = try JSON(parsing: written.json, maxBytes: 2000)
        #expect(json.canonical() == written.json)
        let read = try JWK(try #require(json.object))
        #expect(read.key == key && read.keyID == written.keyID)
        #expect(Thumbprint.isWellFormed(read.keyID))
    }

    @Test(
        "The lifetime of a key stands in key histories, beside the key and not in it",
        arguments: ["nbf", "exp", "revoked"])
    func lifetime(member: String) throws {
        let key = try PrivateKey(generating: .edDSA).publicKey
        var object = try #require(try JSON(parsing: JWK(key).json, maxBytes: 2000).object)
        object[member] = .number(JSONNumber(1))
        #expect(code { () throws(JWKRefusal) in try JWK(object) } == "lifetimeMember")
    }

    @Test(
        "V5: what has the form of a thumbprint",
        arguments: [
            ("NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs", true), ("", false),
            ("NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9X", false),
            ("NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xt", false),
            ("NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs=", false),
            ("NzbLsXh8uDCcd+6MNwXF4W_7noWXFZAfHkxZsRGC9Xs", false),
            ("NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9X\u{455}", false),
            ("NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs ", false),
        ])
    func thumbprintForm(text: String, isOne: Bool) {
        #expect(Thumbprint.isWellFormed(text) == isOne)
    }

    @Test("V5: a kid in a message is escaped and cut")
    func quoting() throws {
        let key = try PrivateKey(generating: .es256).publicKey
        var object = try #require(try JSON(parsing: JWK(key).json, maxBytes: 2000).object)
        object["kid"] = .string("\u{1B}[31m\u{202E}" + String(repeating: "x", count: 100))
        do throws(JWKRefusal) {
            _ = try JWK(object)
            Issue.record("accepted")
        } catch {
            #expect(error.detail.hasPrefix(#"the kid "<U+001B>[31m<U+202E>xxx"#))
            #expect(error.detail.utf8.allSatisfy { (0x20...0x7E).contains($0) } && error.detail.utf8.count < 250)
        }
    }
}
