internal import CountersignKeys
internal import Wire

/// A device of somebody at one service: a key pair, and where and as whom it is used.
public struct Profile: Sendable {
    /// Its name.
    public let name: String
    let folder: PrivateFolder
    private let facts: ProfileFacts

    static let keyName = "device.key"
    private static let maxKeyBytes = 16_384

    init(_ name: String, _ folder: PrivateFolder) throws(ServiceError) {
        self.name = name
        self.folder = folder
        guard let bytes = try folder.read(ProfileFacts.name, limit: ProfileFacts.maxBytes) else {
            throw .local("\(folder.path) is no profile: it has no \(ProfileFacts.name)")
        }
        guard let facts: ProfileFacts = folder.parsed(bytes) else {
            throw .local(
                "\(folder.path)/\(ProfileFacts.name) is damaged: remove the profile, and enrol or log in again")
        }
        self.facts = facts
    }

    /// The service's URL.
    public var server: String { facts.server }
    /// Who logged in last, where it was a person.
    public var user: String? { facts.user }
    /// The relying service that logged in last, where it was one.
    public var client: String? { facts.client }
    /// Whether the operator logged in last.
    public var isOperator: Bool { facts.role == GrantMessage.Role.operator.rawValue }
    /// The id of the device, once it is enrolled.
    public var device: String? { facts.device }

    /// Whether the key is encrypted, so that a passcode is needed.
    public var isEncrypted: Bool {
        get throws(ServiceError) {
            let pem = try keyFile()
            let label = Array("-----BEGIN ENCRYPTED PRIVATE KEY-----".utf8)
            return pem.withBytes { pem in
                pem.count >= label.count && label.indices.allSatisfy { pem[$0] == label[$0] }
            }
        }
    }

    /// How the service is asked, by what the profile says.
    func options(_ given: ServiceOptions) -> ServiceOptions {
        var options = given
        options.certificateAuthorities = given.certificateAuthorities ?? facts.certificateAuthorities
        options.allowsPlainHTTP = given.allowsPlainHTTP || facts.allowsPlainHTTP
        return options
    }

    /// The device's key.
    ///
    /// - Throws: `local` where it is encrypted and the passcode is missing or wrong.
    func key(_ passcode: Secret?) throws(ServiceError) -> PrivateKey {
        let pem = try keyFile()
        do throws(KeyError) {
            return try pem.withBytes { (pem) throws(KeyError) in
                try PrivateKey(pem: pem, passphrase: passcode?.bytes)
            }
        } catch {
            throw ServiceError(error)
        }
    }

    /// Encrypts a key that is not.
    public func encrypt(_ passcode: Secret) throws(ServiceError) {
        let key = try self.key(nil)
        let pem: SecretBytes
        do throws(KeyError) { pem = try key.encryptedPEM(passphrase: passcode.bytes) } catch {
            throw ServiceError(error)
        }
        try folder.write(Self.keyName, pem)
    }

    /// Keeps who logged in, and how the service is asked.
    func keep(_ grant: GrantMessage, _ options: ServiceOptions) throws(ServiceError) {
        var facts = facts
        facts.certificateAuthorities = options.certificateAuthorities
        facts.allowsPlainHTTP = options.allowsPlainHTTP
        facts.role = grant.role.rawValue
        facts.user = grant.user
        facts.client = grant.client
        facts.device = grant.device
        try folder.write(ProfileFacts.name, facts)
    }

    private func keyFile() throws(ServiceError) -> SecretBytes {
        guard let pem = try folder.read(Self.keyName, limit: Self.maxKeyBytes) else {
            throw .local("\(folder.path) has no \(Self.keyName)")
        }
        return pem
    }
}
