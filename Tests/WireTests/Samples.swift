import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Notifications
import Sessions
import Signing
import Testing
import Wire

/// One message of each type with all members, and one with as few as there can be.
enum Samples {
    static let uuid = "0f8fad5b-d9cb-4a2e-8c1f-2d8ae3c1b7e4"

    static let all = Result { try full() + approvals() + requests() + batches() + sparse() }

    static func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8).span) }

    static func result() throws -> SignedResult {
        let text =
            #"{"dataPayload":"Pay 5.00 EUR to Bob","dataPayloadLength":19,"reason":"Invoice 17","payloadSignature":"a.b.c","#
            + #""dataSignatureID":"\#(uuid)","authLevel":1,"authenticatorType":0}"#
        return try SignedResult(Array(text.utf8).span)
    }

    /// A notification: answered with a signature, or still waiting.
    static func notification(isAnswered: Bool) throws -> NotificationMessage {
        let id = try #require(UUIDText(uuid))
        let content = try NotificationContent(
            bodies: [
                NotificationBody(language: "de-CH", subject: "Zahlung", message: "5\nEUR?", labels: ["Accept": "Ja"])
            ], actions: [NotificationAction(name: "Accept", level: 1)])
        let answer = Notification.Answer(action: "Accept", device: id, at: 7, signature: id)
        let notification = Notification(
            id: id, user: try #require(UserName("alice")), content: content, createdAt: 1, expiresAt: 9,
            state: isAnswered ? .updated(answer) : .pending)
        return NotificationMessage(
            notification, signingStatus: isAnswered ? "SIGNED" : nil, enterprise: isAnswered ? "acme" : nil,
            client: isAnswered ? "shop" : nil)
    }

    /// An approval that waits, of each kind, with a match code of each kind.
    private static func approvals() throws -> [any WireMessage] {
        let (id, user) = (try #require(UUIDText(uuid)), try #require(UserName("alice")))
        let content = try NotificationContent(approval: "shop asks", message: "Pay?", level: 1)
        let code = try #require(MatchCode("07"))
        let request = RequestMatter(
            id: id, asker: "shop", requester: user, payload: "p\n", reason: "r", level: 1, type: 0,
            quorum: Quorum(required: 2, of: 3))
        let bare = RequestMatter(id: id, asker: "shop", payload: "p", reason: "r", level: 4, type: 1)
        let matters: [(NotificationMatter, Match?)] = [
            (.request(request), Match(code, .required)), (.request(bare), nil),
            (.activation(ActivationMatter(id: id, deviceName: "\u{1F4F1}", address: "::1")), Match(code, .offered)),
            (.activation(ActivationMatter(id: id, deviceName: "n", address: nil)), Match(code, .required)),
        ]
        return try matters.map { matter, match in
            NotificationMessage(
                try Notification(id: id, user: user, content: content, matter: matter, match: match, at: 1, life: nil))
        }
    }

    /// What relying services ask, and what they are told.
    private static func requests() throws -> [any WireMessage] {
        [
            AskPersons(
                user: "alice", required: 1, requester: "bob", payload: "p\n", reason: "r", level: 1,
                authenticatorType: 0, expiresIn: -5, matchCode: "offered"),
            AskPersons(users: ["alice", "bob"], payload: "", reason: ""),
            AskPersons(group: "board", payload: "p", reason: "r"),
            AskedMessage(id: uuid, expiresIn: 300, interval: 5, matchCode: "07"),
            AskedMessage(id: uuid, expiresIn: 300, interval: 5, matchCode: nil),
            RequestMessage(
                id: uuid, status: .done, payload: "p", reason: "r", level: 1, authenticatorType: 0, group: "board",
                requester: "carol", quorum: "2/3", users: ["alice", "bob"], signed: 2, declined: 1, createdAt: 1,
                expiresAt: 9, changedAt: 5, result: try result(), bundle: "{}"),
            ListMessage([
                RequestMessage(
                    id: uuid, status: .pending, payload: "p", reason: "r", level: 4, authenticatorType: 1, users: [],
                    signed: 0, declined: 0, createdAt: 1, expiresAt: 9)
            ]),
            GroupMessage(group: "board", members: ["alice"], createdAt: 1, changedAt: 2),
            AddGroup(group: "board", members: ["alice", "bob"]), SetGroup(members: []),
        ]
    }

    /// Several payloads at once: asked for, waiting, signed.
    private static func batches() throws -> [any WireMessage] {
        let id = try #require(UUIDText(uuid))
        let payloads = [BatchPayload(payload: "p\n", reference: "r 1"), BatchPayload(payload: "")]
        let signed = BatchItemMessage(reference: "r 1", result: try result())
        let batches = [
            BatchMessage(
                digest: "d",
                items: [
                    BatchItemMessage(reference: nil, payload: "p\t\"", result: nil),
                    BatchItemMessage(reference: "r", payload: "q"),
                ]),
            BatchMessage(digest: "d", items: [signed, BatchItemMessage(reference: nil, result: try result())]),
        ]
        return [
            StartBatch(user: "alice", payloads: payloads, reason: "r", level: -7, authenticatorType: 99),
            StartBatch(payloads: [], reason: "", level: 0, authenticatorType: 0), signed,
            Problem(Refusal(.payloadEmpty, .item(3, nil))),
        ]
            + batches.map { batch in
                SigningMessage(
                    id: id, state: batch.items[0].result == nil ? .challenged : .signed, user: "alice",
                    statusCode: 100, payload: "2 payloads", reason: "r", level: 1, authenticatorType: 0, issuedAt: 1,
                    batch: batch)
            }
    }

    private static func full() throws -> [any WireMessage] {
        let id = try #require(UUIDText(uuid))
        var policy = PolicyMessage()
        policy.minLevel = 4
        policy.issuer = "https://sign.example"
        policy.audience = "shop"
        policy.requiredMethods = ["pwd", "idv"]
        policy.reason = "Invoice 17"
        policy.payload = "é \u{1F600}\n\"\\"
        policy.maxAge = 3600
        policy.allowTestIDV = true
        policy.anyQuorum = true
        let session = SessionMessage(
            id: uuid, device: uuid, deviceName: "Alice's laptop", createdAt: 1, lastUsedAt: 2, expiresAt: 3,
            isCurrent: true)
        let device = DeviceMessage(
            id: uuid, name: "Alice's laptop", state: "blocked", isCurrent: true, binding: 1, thumbprint: "t",
            createdAt: 1, activatedAt: 2, lastAccessAt: 3, blockedAt: 4, probationUntil: 5)
        return [
            StartSigning(user: "alice", payload: "p", reason: "r", level: -7, authenticatorType: 99),
            AnswerChallenge(generation: 3, password: secret("pass \u{1F511} \"word\"\\")),
            SigningMessage(
                id: id, state: .challenged, user: "alice", statusCode: 102, challengeMode: 12, generation: 2,
                method: "password", attemptsLeft: 2, payload: "Pay\n5.00", reason: "Invoice 17", level: 1,
                authenticatorType: 0, issuedAt: 1_700_000_000_000, expiresAt: 1_700_000_120_000),
            SigningMessage(
                id: id, state: .signed, user: "alice", statusCode: 100, payload: "Pay 5.00 EUR to Bob",
                reason: "Invoice 17",
                level: 1, authenticatorType: 0, issuedAt: 1, result: try result()),
            EnrolDevice(
                user: "alice", activationCode: "ABCD-EFGHJ-KMNPQ", password: secret("öäü"), deviceName: "Laptop"),
            LogIn(user: "alice", password: secret("p")), LogInOperator(token: secret("cso_x")),
            GrantMessage(
                accessToken: "csa_x", tokenType: .dpop, expiresIn: 300, refreshToken: "csr_x", session: uuid,
                device: uuid,
                role: .person, user: "alice", client: "shop"),
            session, ListMessage([session, session]),
            device, DeviceListMessage([device, device], coolingOffUntil: 1_760_009_989_000),
            UpdateDevices([
                DeviceUpdateMessage(device: uuid, operation: "rename", name: "Alice's \u{1F4F1}"),
                DeviceUpdateMessage(device: uuid, operation: "delete"),
            ]),
            UserMessage(
                user: "a", isLocked: true, needsUnlock: false, blockedUntil: 9, wrongAnswers: 3, createdAt: 1,
                passwordSetAt: 2, activationsBlockedAt: 4),
            BeginActivation(user: "alice", name: "Alice's tablet"), FinishActivation(password: secret("öäü")),
            ActivationMessage(
                id: uuid, state: "waiting", options: ["verify", "activation-code"], matchCode: "07", expiresIn: 300),
            try notification(isAnswered: true), ListMessage([try notification(isAnswered: false)]),
            ListMessage([try notification(isAnswered: true)], next: 2),
            CreateNotification(
                user: "alice", bodies: try notification(isAnswered: false).bodies,
                actions: try notification(isAnswered: false).actions, expiresIn: -5, enterprise: "acme"),
            AnswerNotification(action: "Accept", language: "en", matchCode: "42", isNotMe: true),
            NotificationAnswerMessage(
                notification: try notification(isAnswered: false),
                signing: SigningMessage(
                    id: id, state: .challenged, user: "alice", statusCode: 100, payload: "p", reason: "r", level: 1,
                    authenticatorType: 0, issuedAt: 1)),
            SetPushToken(try PushToken(transport: .apns, environment: .development, text: "a1b2")),
            ListMessage([PushChallengeMessage(notification: uuid, challenge: "a.b.c")]),
            AddUser(user: "a"), ActivationCodeMessage(user: "a", code: "c", expiresAt: 1),
            KeyMessage(
                kid: "k", algorithm: "ES256", isRoot: false, state: "revoked", hasPrivateHalf: true, publishedAt: 1,
                activatedAt: 2, retiredAt: 3, revokedAt: 4, revocation: "superseded"),
            CreateKey(algorithm: "EdDSA"), RotateKeys(to: "k", algorithm: "ES384"), RevokeKey(reason: "compromised"),
            AuditMessage(
                seq: 1, at: 2, event: "signed", user: "a", ceremony: uuid, jti: uuid, digest: "00", length: 3, level: 4,
                type: 1, method: "password", result: 102, detail: "d"),
            StatementMessage(
                signatureID: uuid, user: "a", signedAt: 1, payload: "p", reason: "r", level: 0, authenticatorType: 0,
                audience: "shop", kid: "k", ceremony: uuid, statement: "a.b.c", reference: "r 1"),
            ClientMessage(
                client: "shop", isLocked: false, credential: "secret", thumbprint: "t", createdAt: 1, secret: "csc_x"),
            AddClient(client: "shop", key: JWK(try PrivateKey(generating: .es256).publicKey)),
            SettingMessage(name: "n", value: "v", help: "h"), ChangeSetting(value: "v"), CountMessage(3),
            StatusMessage(
                id: uuid, issuer: "i", signingKey: "k", rootKey: "r", holdsRootKey: true, users: 1, statements: 2,
                openCeremonies: 3, auditRows: 4, createdAt: 5, newestTime: 6),
            MetadataMessage(
                issuer: "i", tokenEndpoint: "t", keys: "k", grantTypes: ["a"], responseTypes: [], tokenMethods: ["b"],
                tokenAlgorithms: ["c"], proofAlgorithms: ["d"], levels: ["e"], keyHistory: "h", api: "a",
                documentation: "o"),
            VerifyStatements("a.b.c", policy: policy), VerifyStatements(["a", "b"]), policy,
            Problem(Refusal(.authenticationFailed, .attemptsLeft(2)), requestID: "r"),
            Problem(Refusal(.deviceNotAllowed, .coolingOff(until: 1_760_009_989_000))),
        ]
    }

    private static func sparse() throws -> [any WireMessage] {
        let id = try #require(UUIDText(uuid))
        return [
            StartSigning(payload: "", reason: "", level: 0, authenticatorType: 0),
            AnswerChallenge(generation: nil, password: secret("")),
            SigningMessage(
                id: id, state: .expired, user: "a", statusCode: 153, payload: "p", reason: "r", level: 4,
                authenticatorType: 1, issuedAt: 0),
            GrantMessage(accessToken: "t", tokenType: .bearer, expiresIn: 1, session: uuid, role: .service),
            SessionMessage(
                id: uuid, device: nil, deviceName: nil, createdAt: 0, lastUsedAt: 0, expiresAt: 0, isCurrent: false),
            try notification(isAnswered: false), AnswerNotification(action: "", language: nil),
            CreateNotification(user: "a", bodies: [], actions: [], expiresIn: nil, enterprise: nil),
            NotificationAnswerMessage(notification: try notification(isAnswered: true), signing: nil),
            ActivationMessage(id: uuid, state: "expired", options: [], expiresIn: 0), ListMessage<UserMessage>([]),
            DeviceListMessage([], coolingOffUntil: nil), CreateKey(), RotateKeys(),
            DeviceMessage(
                id: uuid, name: "L", state: "active", isCurrent: false, thumbprint: "t", createdAt: 1, activatedAt: 1,
                lastAccessAt: 1),
            DeliveryMessage(
                id: uuid, transport: "apns", event: "notification-made", user: "alice", device: uuid,
                notification: uuid, status: "PENDING", state: "waiting", attempts: 2, receipt: "429", createdAt: 1,
                expiresAt: 9, nextAt: 5, endedAt: 6),
            DeliveryMessage(
                id: uuid, transport: "webhook", event: "e", user: "a", state: "failed", attempts: 0, createdAt: 1,
                expiresAt: 2),
            AuditMessage(at: 1, event: "e", result: 0), AddClient(client: "shop"),
            VerdictMessage(.invalid(.signature)), VerdictMessage(.indeterminate(.unknownKey)),
            Problem(Refusal(.routeUnknown)),
        ]
    }
}
