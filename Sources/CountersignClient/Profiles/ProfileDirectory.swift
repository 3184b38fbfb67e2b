internal import CountersignKeys
internal import Glibc

/// Where profiles are: one directory for each, with the device's key, its tokens, and which service they are for.
///
/// ```swift
/// let profiles = try ProfileDirectory.standard()
/// let profile = try profiles.create("work", server: "https://sign.example.com")
/// ```
public struct ProfileDirectory: Sendable {
    /// The directory. Profiles are in its subdirectory `profiles`.
    public let path: String

    /// A directory of profiles; it need not be there yet.
    public init(_ path: String) { self.path = path }

    /// `$XDG_CONFIG_HOME/countersign`, or `~/.config/countersign`.
    ///
    /// - Throws: `local` where neither variable says where that is.
    public static func standard() throws(ServiceError) -> ProfileDirectory {
        if let configuration = variable("XDG_CONFIG_HOME") { return ProfileDirectory(configuration + "/countersign") }
        guard let home = variable("HOME") else {
            throw .local("HOME is not set, so nothing says where profiles are")
        }
        return ProfileDirectory(home + "/.config/countersign")
    }

    /// The names of the profiles, in order. Empty where there are none.
    public func names() throws(ServiceError) -> [String] {
        var status = stat()
        guard unsafe lstat(profiles, &status) == 0 else { return [] }
        return try PrivateFolder(profiles).names().filter(Self.isName).sorted()
    }

    /// A profile that is there.
    ///
    /// - Throws: `local` where there is none of this name, or others may use its files.
    public func profile(_ name: String) throws(ServiceError) -> Profile {
        try Profile(name, folder(name))
    }

    private func folder(_ name: String) throws(ServiceError) -> PrivateFolder {
        try Self.check(name)
        var status = stat()
        guard unsafe lstat("\(profiles)/\(name)", &status) == 0 else {
            throw .local("there is no profile \(name) in \(profiles)")
        }
        return try PrivateFolder(profiles).folder(name)
    }

    /// Makes a profile with a new key. Nobody is logged in with it yet: see ``Account``.
    ///
    /// - Parameters:
    ///   - name: `[a-z0-9][a-z0-9._-]{0,63}`.
    ///   - server: The service's URL.
    ///   - options: Its `certificateAuthorities` and `allowsPlainHTTP` are kept in the profile.
    ///   - passcode: With one, the key is encrypted (PKCS#8, PBES2), and each use needs it.
    /// - Throws: `local` where there is one of this name already.
    public func create(
        _ name: String, server: String, options: ServiceOptions = ServiceOptions(), passcode: Secret? = nil
    ) throws(ServiceError) -> Profile {
        try Self.check(name)
        let origin = try ServiceOrigin(server, allowsPlainHTTP: options.allowsPlainHTTP)
        let pem: SecretBytes
        do throws(KeyError) {
            let key = try PrivateKey(generating: .es256)
            if let passcode {
                pem = try key.encryptedPEM(passphrase: passcode.bytes)
            } else {
                pem = try key.pem()
            }
        } catch {
            throw ServiceError(error)
        }
        try makeParents()
        _ = try PrivateFolder.make(profiles)
        // Made under another name and moved: a profile is whole or not there.
        let draft = "\(profiles)/.new.\(getpid()).\(UInt32.random(in: 0 ... .max))"
        let folder = try PrivateFolder.make(draft)
        do throws(ServiceError) {
            try folder.write(Profile.keyName, pem, replacing: false)
            try folder.write(
                ProfileFacts.name,
                ProfileFacts(
                    server: origin.text, certificateAuthorities: options.certificateAuthorities,
                    allowsPlainHTTP: options.allowsPlainHTTP))
            guard unsafe rename(draft, "\(profiles)/\(name)") == 0 else {
                if errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR {
                    throw .local("there is a profile \(name) already")
                }
                throw PrivateFolder.error("the profile \(name) cannot be made")
            }
        } catch {
            Self.clear(folder)
            unsafe rmdir(draft)
            throw error
        }
        return try profile(name)
    }

    /// Removes a profile, its key included: the device can never log in with it again. Log out first, so that the session ends.
    /// One that is damaged goes too.
    public func remove(_ name: String) throws(ServiceError) {
        _ = try folder(name)
        let gone = "\(profiles)/.old.\(getpid()).\(UInt32.random(in: 0 ... .max))"
        guard unsafe rename("\(profiles)/\(name)", gone) == 0 else {
            throw PrivateFolder.error("the profile \(name) cannot be removed")
        }
        Self.clear(try PrivateFolder(gone))
        guard unsafe rmdir(gone) == 0 else { throw PrivateFolder.error("\(gone) cannot be removed") }
    }

    private var profiles: String { path + "/profiles" }

    private static func clear(_ folder: PrivateFolder) {
        for name in (try? folder.names()) ?? [] { try? folder.remove(name) }
    }

    /// The directories above, as other programs make them in a home; only the last is for profiles alone.
    private func makeParents() throws(ServiceError) {
        guard !path.isEmpty else { throw .local("'' is not the name of a directory") }
        var index = path.utf8.index(after: path.utf8.startIndex)
        while let slash = path.utf8[index...].firstIndex(of: UInt8(ascii: "/")) {
            unsafe mkdir(String(path[..<slash]), 0o700)
            index = path.utf8.index(after: slash)
        }
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw PrivateFolder.error("\(path) cannot be made")
        }
    }

    private static func check(_ name: String) throws(ServiceError) {
        guard isName(name) else {
            throw .local("the name of a profile has 1 to 64 of a-z 0-9 . _ - and begins with a letter or digit")
        }
    }

    private static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.enumerated().allSatisfy { index, byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): index > 0
                default: false
                }
            }
    }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.utf8.first == UInt8(ascii: "/") ? text : nil
    }
}
