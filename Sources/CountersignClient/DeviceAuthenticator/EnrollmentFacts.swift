internal import CountersignJOSE
internal import Signing
internal import Wire

/// `enrolment.json` of a profile whose device is enrolled for push challenges. The push token is not in it: that of the next launch may be
/// another (rule K14).
struct EnrollmentFacts: WireMessage {
    /// What the service calls itself: the `iss` of its challenges.
    let issuer: String
    /// The id of the device: the `aud` of its challenges.
    let device: String

    static let name = "enrolment.json"
    static let maxBytes = 16_384

    init(issuer: String, device: String) {
        self.issuer = issuer
        self.device = device
    }

    static let shape = Shape("Enrolment", [.required("issuer", .line), .required("device", .uuid)])

    init(_ members: Members) throws(Refusal) {
        issuer = try members.string("issuer")
        device = try members.string("device")
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "issuer", string: issuer)
        writer.member(name: "device", string: device)
        writer.endObject()
    }
}

extension Profile {
    /// What is known of the enrolment; nil where the device is not enrolled.
    ///
    /// - Throws: `local` where the file is damaged.
    var enrollment: EnrollmentFacts? {
        get throws(ServiceError) {
            guard let bytes = try folder.read(EnrollmentFacts.name, limit: EnrollmentFacts.maxBytes) else { return nil }
            guard let facts: EnrollmentFacts = folder.parsed(bytes) else {
                throw .local("\(folder.path)/\(EnrollmentFacts.name) is damaged: enrol the device again")
            }
            return facts
        }
    }

    func keep(_ facts: EnrollmentFacts) throws(ServiceError) { try folder.write(EnrollmentFacts.name, facts) }

    func forgetEnrollment() throws(ServiceError) { try folder.remove(EnrollmentFacts.name) }
}
