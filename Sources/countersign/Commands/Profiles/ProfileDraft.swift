import CountersignClient
import CountersignKeys

/// The profile that somebody is about to log in with: a new one with a new key, or one that is there.
struct ProfileDraft {
    /// Whose it will be, where nobody says how it is called: `host`, `host-operator`, `host-NAME`.
    enum Suffix {
        case none
        case words(String)
    }

    let profile: Profile
    let passcode: Secret?
    /// How the service is asked.
    private let options: ServiceOptions
    /// Whether it was made for this, and goes again where the log-in fails.
    let isNew: Bool
    /// Whether it becomes the chosen one.
    private let isChosen: Bool
    private let profiles: ProfileDirectory

    /// Finds the profile, or makes it.
    ///
    /// - Parameters:
    ///   - given: Its name; nil: the service's host and port, and the suffix.
    ///   - mayBeUsed: Whether a profile will do with which somebody logged in already.
    init(
        _ given: String?, _ suffix: Suffix = .none, _ server: ServerOptions, _ passcodes: NewPasscodeOptions,
        mayBeUsed: Bool = false
    ) throws(Failure) {
        profiles = try ProfileChoice.profiles()
        isChosen = given == nil
        let (profiles, url, options) = (profiles, server.server, try server.options())
        self.options = options
        let origin = try Failure.explaining { () throws(ServiceError) in
            try url.map { url throws(ServiceError) in try CountersignService(url, options: options).origin }
        }
        guard let name = given ?? origin.map({ Self.name(of: $0, suffix) }) else {
            throw Failure(.refusedInput, "it is not said which service", advice: "Give it by --server URL.")
        }
        let names = try Failure.explaining { () throws(ServiceError) in try profiles.names() }
        if names.contains(name) {
            let open = try OpenProfile(name, passcodeFile: passcodes.passcodeFile)
            guard mayBeUsed || !open.profile.wasUsed else {
                throw Failure(
                    .refusedInput, "there is a profile \(name) already",
                    advice: "Log in with it by `countersign login`, or give a new one's name by --profile.")
            }
            guard origin == nil || origin == open.profile.server else {
                throw Failure(
                    .refusedInput, "the profile \(name) is for \(open.profile.server)",
                    advice: "Give a new one's name by --profile.")
            }
            profile = open.profile
            passcode = try Self.passcode(of: open, passcodes)
            isNew = false
            return
        }
        guard let origin else {
            throw Failure(
                .refusedInput, "there is no profile \(name)", advice: "To make it, give the service by --server URL.")
        }
        let passcode = try passcodes.newPasscode()
        self.passcode = passcode
        isNew = true
        profile = try Failure.explaining { () throws(ServiceError) in
            try profiles.create(name, server: origin, options: options, passcode: passcode)
        }
    }

    /// The passcode of a profile that is there. One that nobody has logged in with is as good as new: what is asked for now holds.
    private static func passcode(of open: OpenProfile, _ passcodes: NewPasscodeOptions) throws(Failure) -> Secret? {
        let profile = open.profile
        let isEncrypted = try Failure.explaining { () throws(ServiceError) in try profile.isEncrypted }
        guard !isEncrypted, !profile.wasUsed, let passcode = try passcodes.newPasscode() else {
            return try open.passcode()
        }
        try Failure.explaining { () throws(ServiceError) in try profile.encrypt(passcode) }
        return passcode
    }

    /// The account with which to log in.
    func account() throws(Failure) -> Account {
        do throws(ServiceError) { return try Account(profile, passcode: passcode, options: options) } catch {
            discard()
            throw Failure(error)
        }
    }

    /// Takes a new profile away again.
    func discard() {
        if isNew { try? profiles.remove(profile.name) }
    }

    /// Chooses the profile where its name was not given, and says what was done.
    func finish(_ deed: String) throws(Failure) {
        if isChosen { try ProfileChoice.write(profile.name) }
        Diagnosis.say("\(deed); the profile is \(profile.name)\(isChosen ? ", which is chosen from now on" : "")")
    }

    /// The host and port of an origin in the letters of a profile's name.
    private static func name(of origin: String, _ suffix: Suffix) -> String {
        let host = origin.utf8.drop { $0 != UInt8(ascii: "/") }.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): byte
            default: UInt8(ascii: "-")
            }
        }
        var name = String(decoding: host.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }, as: UTF8.self)
        if case .words(let words) = suffix { name += "-\(words)" }
        return String(name.prefix(64))
    }
}

extension Profile {
    /// Whether somebody logged in with it.
    var wasUsed: Bool { user != nil || isOperator || client != nil || device != nil }
}

extension Failure {
    /// Runs a call of the client, whose errors become what the person is told.
    static func explaining<Value>(_ body: () throws(ServiceError) -> Value) throws(Failure) -> Value {
        do throws(ServiceError) { return try body() } catch { throw Failure(error) }
    }
}
