internal import CountersignJOSE
internal import Signing
internal import Wire

/// `profile.json` of a profile: which service, and who.
struct ProfileFacts: WireMessage {
    /// The service's URL.
    var server: String
    /// A file of certificates that are trusted for it.
    var certificateAuthorities: String?
    /// Whether plain HTTP may be spoken with it though it is elsewhere.
    var allowsPlainHTTP: Bool
    /// Who is logged in, where it is a person.
    var user: String?
    /// The relying service, where it is one.
    var client: String?
    /// Whose session it is: `person`, `operator` or `service`; nil before the first log-in.
    var role: String?
    /// The id of the device.
    var device: String?

    static let name = "profile.json"
    static let maxBytes = 16_384

    init(server: String, certificateAuthorities: String?, allowsPlainHTTP: Bool) {
        self.server = server
        self.certificateAuthorities = certificateAuthorities
        self.allowsPlainHTTP = allowsPlainHTTP
    }

    static let shape = Shape(
        "Profile",
        [
            .required("server", .line), .optional("certificateAuthorities", .text(max: 4096)),
            .required("plainHTTP", .flag), .optional("user", .line), .optional("client", .line),
            .optional("role", .line), .optional("device", .uuid),
        ])

    init(_ members: Members) throws(Refusal) {
        server = try members.string("server")
        certificateAuthorities = members.optionalString("certificateAuthorities")
        allowsPlainHTTP = try members.flag("plainHTTP")
        user = members.optionalString("user")
        client = members.optionalString("client")
        role = members.optionalString("role")
        device = members.optionalString("device")
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "server", string: server)
        if let certificateAuthorities {
            writer.member(name: "certificateAuthorities", string: certificateAuthorities)
        }
        writer.name("plainHTTP")
        writer.bool(allowsPlainHTTP)
        if let user { writer.member(name: "user", string: user) }
        if let client { writer.member(name: "client", string: client) }
        if let role { writer.member(name: "role", string: role) }
        if let device { writer.member(name: "device", string: device) }
        writer.endObject()
    }
}
