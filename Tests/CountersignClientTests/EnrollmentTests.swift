import CountersignClient
import Foundation
import Sessions
import SigningService
import Testing

@Suite("Devices that are enrolled for push challenges, with the real service")
struct EnrollmentTests {
    private func config(_ name: String, _ origin: String = LiveServer.origin) -> AuthenticatorConfig {
        AuthenticatorConfig(orgURL: origin, oidcClientId: name)
    }

    @Test("K01, K05-K11, K15, C32: a device is enrolled with two tokens, and then has challenges")
    func enrol() async throws {
        try await LiveServer.run { live in
            let alice = try await live.person("alice")
            let app = try live.app()
            #expect(try app.allEnrollments().isEmpty)
            let token = AuthToken.bearer(try await alice.accessToken())
            let enrollment = try await app.enroll(
                authenticationToken: token, authenticatorConfig: config("alice"),
                enrollmentParameters: EnrollmentParameters(deviceToken: Phone.pushToken))
            #expect(enrollment.id == "alice" && enrollment.user == "alice" && enrollment.server == LiveServer.origin)
            let own = try #require(try await alice.devices().devices.first { $0.isCurrent })
            #expect(enrollment.device == own.id)
            #expect(try live.app().allEnrollments().map(\.id) == ["alice"], "found at the next launch")
            let asked = try await live.ask()
            let challenges = try await enrollment.retrievePushChallenges(authenticationToken: token)
            #expect(challenges.map(\.notificationID) == [asked])
            #expect("\(token)" == "AuthToken" && Mirror(reflecting: token).children.isEmpty)
        }
    }

    @Test("K05, K07, K42, K43: without a push token, an access token, or with those of others nothing is enrolled")
    func refused() async throws {
        try await LiveServer.run { live in
            let (alice, bob) = (try await live.person("alice"), try await live.person("bob"))
            let app = try live.app()
            let pushToken = EnrollmentParameters(deviceToken: Phone.pushToken)
            func enrol(
                _ token: String, _ config: AuthenticatorConfig, _ parameters: EnrollmentParameters
            ) async -> DeviceAuthenticatorError? {
                await fault {
                    _ = try await app.enroll(
                        authenticationToken: .bearer(token), authenticatorConfig: config,
                        enrollmentParameters: parameters)
                }
            }
            let (own, other) = (try await alice.accessToken(), try await bob.accessToken())
            let missing = await enrol(own, config("alice"), EnrollmentParameters(deviceToken: []))
            if case .deviceTokenMissing? = missing {} else { Issue.record("\(String(describing: missing))") }
            let long = EnrollmentParameters(deviceToken: [UInt8](repeating: 1, count: 257))
            #expect(await enrol(own, config("alice"), long)?.refusal?.code == 1731)
            for token in [other, "", "csa_none"] {
                let refused = await enrol(token, config("alice"), pushToken)
                #expect(refused?.needsSignIn == true, "\(token): \(String(describing: refused))")
            }
            for elsewhere in [config("nobody"), config("alice", "https://other.example"), config("../alice")] {
                let refused = await enrol(own, elsewhere, pushToken)
                guard case .service(.local)? = refused else {
                    Issue.record("\(elsewhere): \(String(describing: refused))")
                    continue
                }
            }
            _ = try live.profiles.directory.create("fresh", server: LiveServer.origin)
            #expect(await enrol(own, config("fresh"), pushToken) != nil, "nobody is logged in there")
            #expect(try app.allEnrollments().isEmpty)
        }
    }

    @Test("K12-K14, K41, C33: each enrolment gets the new push token with its own access token; nothing keeps it")
    func tokens() async throws {
        try await LiveServer.run { live in
            let (alice, bob) = (try await live.phone("alice"), try await live.phone("bob"))
            let new: [UInt8] = Array(repeating: 0xD7, count: 32)
            let accounts = ["alice": alice.account, "bob": bob.account]
            for enrollment in try alice.authenticator.allEnrollments() {
                let account = try #require(accounts[enrollment.id])
                let token = AuthToken.bearer(try await account.accessToken())
                try await enrollment.updateDeviceToken(new, authenticationToken: token)
            }
            let refused = await fault {
                try await bob.enrollment.updateDeviceToken(new, authenticationToken: alice.token)
            }
            #expect(refused?.needsSignIn == true)
            let missing = await fault {
                try await bob.enrollment.updateDeviceToken([], authenticationToken: bob.token)
            }
            if case .deviceTokenMissing? = missing {} else { Issue.record("\(String(describing: missing))") }
            let entries = try await live.operatorAccount().operator.audit()
            #expect(entries.filter { $0.event == "push-enrolled" }.count == 4)
            let files = try #require(
                FileManager.default.enumerator(
                    at: live.profiles.root.appending(path: "config"), includingPropertiesForKeys: nil))
            var looked = 0
            for case let file as URL in files where !file.hasDirectoryPath {
                let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
                #expect(!text.contains("d7d7d7") && !text.contains("a1b2c3"), "\(file.lastPathComponent)")
                looked += 1
            }
            #expect(looked > 6)
        }
    }

    @Test("K16: the push token goes with the environment that the app is built for")
    func environment() async throws {
        try await LiveServer.run { live in
            _ = try await live.phone { $0.pushSettings.apsEnvironment = .development }
            let root = try await live.operatorAccount().operator
            let details = try await root.audit().filter { $0.event == "push-enrolled" }.compactMap(\.detail)
            #expect(details.count == 1 && details.allSatisfy { $0.hasSuffix("apns development") })
        }
    }

    @Test("K17, O41: forgotten here only, the service keeps the device, and its challenges are foreign here")
    func local() async throws {
        try await LiveServer.run { live in
            let phone = try await live.phone()
            try await live.ask()
            let token = try await phone.token
            try phone.enrollment.deleteFromDevice()
            try phone.enrollment.deleteFromDevice()
            #expect(try phone.authenticator.allEnrollments().isEmpty)
            let texts = try await live.challenges(of: phone)
            #expect(!texts.isEmpty, "the service knows nothing of it")
            for text in texts { #expect(try await phone.authenticator.parsePushNotification(text) == nil) }
            #expect(try await phone.account.devices().devices.map(\.state) == ["active"])
            let again = try await phone.authenticator.enroll(
                authenticationToken: token, authenticatorConfig: config("alice"),
                enrollmentParameters: EnrollmentParameters(deviceToken: Phone.pushToken))
            #expect(try await again.retrievePushChallenges(authenticationToken: token).count == 1)
        }
    }

    @Test("K18: ended on the service and here; the device and its log-in stay")
    func both() async throws {
        try await LiveServer.run { live in
            let phone = try await live.phone()
            try await phone.authenticator.delete(enrollment: phone.enrollment, authenticationToken: phone.token)
            #expect(try phone.authenticator.allEnrollments().isEmpty)
            let refused = await fault {
                _ = try await phone.enrollment.retrievePushChallenges(authenticationToken: phone.token)
            }
            #expect(refused?.refusal?.code == 1730)
            #expect(try await phone.account.devices().devices.map(\.state) == ["active"])
        }
    }

    @Test(
        "K19-K21, O27: after an administrator removed the device or its enrolment, everything is an error of the service"
    )
    func removed() async throws {
        try await LiveServer.run { live in
            let (alice, bob) = (try await live.phone("alice"), try await live.phone("bob"))
            let (token, other) = (try await alice.token, try await bob.token)
            let root = try await live.operatorAccount().operator
            try await root.deleteDevice(alice.enrollment.device, of: "alice")
            try await bob.authenticator.delete(enrollment: bob.enrollment, authenticationToken: other)
            for (phone, token, code) in [(alice, token, 1821), (bob, other, 1730)] {
                let unenrolling = await fault {
                    try await phone.authenticator.delete(enrollment: phone.enrollment, authenticationToken: token)
                }
                let retrieving = await fault {
                    _ = try await phone.enrollment.retrievePushChallenges(authenticationToken: token)
                }
                #expect(unenrolling?.refusal?.code == code && retrieving?.refusal?.code == code)
            }
            #expect(
                try alice.authenticator.allEnrollments().map(\.id) == ["alice"], "nothing is forgotten by a failure")
            try alice.enrollment.deleteFromDevice()
            #expect(try alice.authenticator.allEnrollments().isEmpty)
        }
    }
}

extension LiveServer {
    /// The challenges that a device has at the service, as a push service would carry them.
    func challenges(of phone: Phone) async throws -> [[UInt8]] {
        let token = try #require(SessionToken(try await phone.account.accessToken(), .access))
        let session = try await engine.session(token)
        return try await engine.pushChallenges(as: session).map { Array($0.text.utf8) }
    }
}
