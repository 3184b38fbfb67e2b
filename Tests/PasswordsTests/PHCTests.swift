import Passwords
import Testing

@Suite("PHC strings")
struct PHCTests {
    private static let salt = "AAECAwQFBgcICQoLDA0ODw"
    private static let tag = "OgCJY8Zff/pzMakLq9H9F+qfA70FNWuFfOtD97cICtw"

    @Test(
        "Another algorithm, version, length or spelling is refused",
        arguments: [
            "", "$", "password", "$argon2id$v=19$m=8,t=1,p=1$\(salt)", "$argon2id$v=19$m=8,t=1,p=1$\(salt)$",
            "argon2id$v=19$m=8,t=1,p=1$\(salt)$\(tag)", " $argon2id$v=19$m=8,t=1,p=1$\(salt)$\(tag)",
            "$argon2id$v=19$m=8,t=1,p=1$\(salt)$\(tag)\n", "$argon2id$v=19$m=8,t=1,p=1$\(salt)$\(tag)$",
            "$argon2i$v=19$m=8,t=1,p=1$\(salt)$\(tag)", "$argon2d$v=19$m=8,t=1,p=1$\(salt)$\(tag)",
            "$Argon2id$v=19$m=8,t=1,p=1$\(salt)$\(tag)", "$argon2id$v=16$m=8,t=1,p=1$\(salt)$\(tag)",
            "$argon2id$m=8,t=1,p=1$\(salt)$\(tag)", "$argon2id$v=19$t=1,m=8,p=1$\(salt)$\(tag)",
            "$argon2id$v=19$m=8,t=1$\(salt)$\(tag)", "$argon2id$v=19$m=8,t=1,p=1,keyid=AA$\(salt)$\(tag)",
            "$argon2id$v=19$m=08,t=1,p=1$\(salt)$\(tag)", "$argon2id$v=19$m=+8,t=1,p=1$\(salt)$\(tag)",
            "$argon2id$v=19$m=-8,t=1,p=1$\(salt)$\(tag)", "$argon2id$v=19$m=8 ,t=1,p=1$\(salt)$\(tag)",
            "$argon2id$v=19$m=\u{663},t=1,p=1$\(salt)$\(tag)",
            // Base64 with padding, of the other alphabet, with spare bits, too short, too long.
            "$argon2id$v=19$m=8,t=1,p=1$\(salt)==$\(tag)", "$argon2id$v=19$m=8,t=1,p=1$\(salt)$\(tag)=",
            "$argon2id$v=19$m=8,t=1,p=1$\(salt)$\(tag.replacing("/", with: "_"))",
            "$argon2id$v=19$m=8,t=1,p=1$\(salt.dropLast())x$\(tag)",
            "$argon2id$v=19$m=8,t=1,p=1$\(salt)$\(tag.dropLast())x",
            "$argon2id$v=19$m=8,t=1,p=1$\(salt.dropLast(2))$\(tag)", "$argon2id$v=19$m=8,t=1,p=1$\(salt)AA$\(tag)",
            "$argon2id$v=19$m=8,t=1,p=1$\(salt)$\(tag.dropLast(3))", "$argon2id$v=19$m=8,t=1,p=1$\(salt)$\(tag)AAAA",
        ])
    func refused(_ text: String) { #expect(PasswordHash(text) == nil) }

    @Test(
        "A hostile row costs no more than 1 GiB: numbers outside their range are refused",
        arguments: [
            "m=7,t=1,p=1", "m=0,t=1,p=1", "m=1048577,t=1,p=1", "m=4194304,t=1,p=1", "m=4294967295,t=1,p=1",
            "m=4294967304,t=1,p=1", "m=18446744073709551624,t=1,p=1", "m=8,t=0,p=1", "m=8,t=65,p=1",
            "m=8,t=4294967295,p=1", "m=8,t=1,p=0", "m=1024,t=1,p=17", "m=1024,t=1,p=16777216", "m=15,t=1,p=2",
        ])
    func bounds(_ costs: String) {
        #expect(PasswordParameters(text: costs) == nil)
        #expect(PasswordHash("$argon2id$v=19$\(costs)$\(Self.salt)$\(Self.tag)") == nil)
    }

    @Test("The least and the most that is taken", arguments: ["m=8,t=1,p=1", "m=1048576,t=64,p=16", "m=128,t=1,p=16"])
    func limits(_ costs: String) throws {
        #expect(try #require(PasswordParameters(text: costs)).text == costs)
        #expect(PasswordHash("$argon2id$v=19$\(costs)$\(Self.salt)$\(Self.tag)") != nil)
    }

    @Test("A hash of other costs wants to be made anew, one of the same does not")
    func upgrade() throws {
        let hash = try #require(PasswordHash("$argon2id$v=19$m=8,t=1,p=1$\(Self.salt)$\(Self.tag)"))
        #expect(!hash.needsUpgrade(to: cheap))
        for costs in ["m=16,t=1,p=1", "m=8,t=2,p=1", "m=19456,t=2,p=1"] {
            #expect(hash.needsUpgrade(to: try #require(PasswordParameters(text: costs))))
        }
    }

    @Test("The standard is OWASP's first choice") func standard() {
        #expect(PasswordParameters.standard.text == "m=19456,t=2,p=1")
    }
}
