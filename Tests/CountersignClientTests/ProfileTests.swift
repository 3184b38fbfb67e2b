import CountersignClient
import Foundation
import Synchronization
import Testing

@Suite("Profiles: files for their owner alone (K1)")
struct ProfileTests {
    @Test("Directories have mode 0700 and files 0600, whatever the umask")
    func modes() throws {
        let profiles = try TemporaryProfiles()
        _ = try profiles.directory.create("work", server: "https://Sign.Example:443/")
        #expect(try profiles.mode("profiles") == 0o700)
        #expect(try profiles.mode("profiles/work") == 0o700)
        #expect(try profiles.mode("profiles/work/device.key") == 0o600)
        #expect(try profiles.mode("profiles/work/profile.json") == 0o600)
        #expect(try profiles.directory.names() == ["work"])
        #expect(try profiles.directory.profile("work").server == "https://sign.example")
        #expect(try profiles.text("profiles/work/device.key").hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    }

    @Test("A passcode encrypts the key; without it, or with another, the key is not used")
    func passcode() throws {
        let profiles = try TemporaryProfiles()
        let profile = try profiles.directory.create("work", server: "https://sign.example", passcode: Secret("1234"))
        #expect(try profile.isEncrypted)
        #expect(try profiles.text("profiles/work/device.key").hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"))
        #expect(throws: ServiceError.self) { try Account(profile) }
        #expect(throws: ServiceError.self) { try Account(profile, passcode: Secret("4321")) }
        _ = try Account(profile, passcode: Secret("1234"))
    }

    @Test("Links and files that others may read are refused")
    func others() throws {
        let profiles = try TemporaryProfiles()
        let files = FileManager.default
        _ = try profiles.directory.create("work", server: "https://sign.example")
        try files.createSymbolicLink(
            atPath: profiles.path("profiles/link"), withDestinationPath: profiles.path("profiles/work"))
        #expect(throws: ServiceError.self) { try profiles.directory.profile("link") }
        let profile = try profiles.directory.profile("work")
        try profiles.setMode(0o640, "profiles/work/device.key")
        #expect(throws: ServiceError.self) { try Account(profile) }
        try profiles.setMode(0o600, "profiles/work/device.key")
        _ = try Account(profile)
        try files.moveItem(
            atPath: profiles.path("profiles/work/device.key"), toPath: profiles.path("profiles/work/key"))
        try files.createSymbolicLink(
            atPath: profiles.path("profiles/work/device.key"), withDestinationPath: "key")
        #expect(throws: ServiceError.self) { try Account(profile) }
        try profiles.setMode(0o770, "profiles")
        #expect(throws: ServiceError.self) { try profiles.directory.profile("work") }
        try profiles.setMode(0o700, "profiles")
        _ = try profiles.directory.profile("work")
        try profiles.setMode(0o750, "profiles/work")
        #expect(throws: ServiceError.self) { try profiles.directory.profile("work") }
    }

    @Test("A profile is made whole or not at all, and never over another")
    func whole() throws {
        let profiles = try TemporaryProfiles()
        _ = try profiles.directory.create("work", server: "https://sign.example")
        let key = try profiles.text("profiles/work/device.key")
        #expect(throws: ServiceError.self) { try profiles.directory.create("work", server: "https://other.example") }
        #expect(try profiles.text("profiles/work/device.key") == key)
        // One whose making was cut off is none.
        for name in [".new.1.2", "half"] {
            try FileManager.default.createDirectory(
                atPath: profiles.path("profiles/\(name)"), withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
        #expect(try profiles.directory.names() == ["half", "work"])
        #expect(throws: ServiceError.self) { try profiles.directory.profile("half") }
        try profiles.directory.remove("work")
        #expect(try profiles.directory.names() == ["half"])
        #expect(throws: ServiceError.self) { try profiles.directory.remove("work") }
    }

    @Test("Names that lead elsewhere are refused")
    func names() throws {
        let profiles = try TemporaryProfiles()
        for name in ["", ".", "..", "../x", "a/b", "-a", ".a", "A", "a\u{0}b", "é", String(repeating: "a", count: 65)] {
            #expect(throws: ServiceError.self, "\(name)") {
                try profiles.directory.create(name, server: "https://sign.example")
            }
            #expect(throws: ServiceError.self, "\(name)") { try profiles.directory.profile(name) }
        }
    }

    @Test(
        "Damaged files are said to be damaged",
        arguments: ["", "{", "{}", #"{"server":"https://a","plainHTTP":false,"x":1}"#])
    func damaged(text: String) throws {
        let profiles = try TemporaryProfiles()
        _ = try profiles.directory.create("work", server: "https://sign.example")
        try text.write(toFile: profiles.path("profiles/work/profile.json"), atomically: false, encoding: .utf8)
        #expect(throws: ServiceError.self) { try profiles.directory.profile("work") }
    }

    @Test("Whoever reads the tokens while they are written reads old or new ones, never half of them")
    func atomic() async throws {
        let profiles = try TemporaryProfiles()
        let fake = FakeService()
        let exchange = ScriptedExchange { request, _ in fake.answer(request) }
        let account = try profiles.account(exchange)
        try await account.logIn(user: "alice", password: Secret("password"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for index in 0..<100 {
                    fake.state.withLock { $0.nonce = "nonce-\(index)" }
                    _ = try await account.sessions()
                }
            }
            group.addTask {
                for _ in 0..<300 {
                    let text = try profiles.text("profiles/test/tokens.json")
                    #expect(text.hasPrefix("{") && text.hasSuffix("}\n"))
                    await Task.yield()
                }
            }
            try await group.waitForAll()
        }
        #expect(try profiles.mode("profiles/test/tokens.json") == 0o600)
    }

    @Test("Addresses of services: https, or http on this machine; one spelling")
    func addresses() throws {
        let good = [
            "https://sign.example": "https://sign.example", "HTTPS://Sign.Example/": "https://sign.example",
            "https://sign.example:8443": "https://sign.example:8443",
            "https://sign.example:443": "https://sign.example",
            "http://127.0.0.1:8177": "http://127.0.0.1:8177", "http://localhost": "http://localhost",
            "http://[::1]:80/": "http://[::1]", "https://[2001:DB8::1]": "https://[2001:db8::1]",
        ]
        for (url, origin) in good { #expect(try CountersignService(url).origin == origin) }
        let bad = [
            "", "sign.example", "ftp://sign.example", "http://sign.example", "http://127.0.0.1.evil.example",
            "https://",
            "https://a@sign.example", "https://sign.example/path", "https://sign.example?x", "https://sign.example#x",
            "https://sign.example:0", "https://sign.example:65536", "https://sign.example:08",
            "https://sign.example:+8",
            "https://sign example", "https://sign.example\r\n", "https://[::1", "https://[]", "https://[::1]x",
            "https://é.example",
        ]
        for url in bad { #expect(throws: ServiceError.self, "\(url)") { try CountersignService(url) } }
        var options = ServiceOptions()
        options.allowsPlainHTTP = true
        #expect(try CountersignService("http://sign.example", options: options).origin == "http://sign.example")
    }
}
