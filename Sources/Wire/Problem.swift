package import CountersignJOSE
package import Signing

/// A refusal on its way: problem details (RFC 9457), `application/problem+json`.
package struct Problem: WireMessage {
    /// The HTTP status.
    package let status: Int
    /// The refusal's number; one that this version does not know stays a number.
    package let code: Int
    /// Its name in kebab case.
    package let name: String
    /// The text of the code.
    package let title: String
    /// The text with its fact.
    package let detail: String
    /// The word of the OAuth RFCs, where they have one.
    package let error: String?
    /// How many answers may still be wrong.
    package let attemptsLeft: Int?
    /// The status of the source documents: 102, or 153 where no attempt is left.
    package let statusCode: Int?
    /// When to ask again, in seconds.
    package let retryAfter: Int?
    /// How old a log-in may be, in seconds (RFC 9470 section 3).
    package let maxAge: Int64?
    /// When it will be allowed, milliseconds since 1970: the end of a cooling-off or of a probation.
    package let until: Int64?
    /// The member of the request that is meant.
    package let member: String?
    /// Which payload of a batch is meant, from 1.
    package let position: Int?
    /// The id of the request, for those who read the server's log.
    package let requestID: String?

    /// The media type.
    package static let mediaType = "application/problem+json"

    /// The problem of a refusal.
    package init(_ refusal: Refusal, requestID: String? = nil) {
        status = refusal.httpStatus
        code = refusal.code.rawValue
        name = refusal.name
        title = refusal.code.text
        detail = refusal.text
        error = refusal.code.error
        self.requestID = requestID
        var (attemptsLeft, statusCode, maxAge, until, member): (Int?, Int?, Int64?, Int64?, String?)
        var position: Int?
        var retryAfter = refusal.code.retryAfter
        switch refusal.fact {
        case .attemptsLeft(let left)?:
            attemptsLeft = left
            statusCode = (refusal.status ?? .authenticationFailed).rawValue
        case .codesLeft(let left)?: attemptsLeft = left
        case .retryAfter(let seconds)?: retryAfter = seconds
        case .maxAge(let seconds)?: maxAge = seconds
        case .coolingOff(let end)?, .probation(let end)?: until = end
        case .member(let name)?: member = String(String.UnicodeScalarView(name.unicodeScalars.prefix(64)))
        case .item(let number, _)?: position = number
        default: break
        }
        self.attemptsLeft = attemptsLeft
        self.statusCode = statusCode
        self.retryAfter = retryAfter
        self.maxAge = maxAge
        self.until = until
        self.member = member
        self.position = position
    }

    /// What `type` begins with; the name follows.
    package static let typePrefix = "urn:countersign:refusal:"
    /// Its `type`.
    package var type: String { Self.typePrefix + name }

    /// The refusal, where this version knows its number. Of facts only those come back that are members of the problem; of `until` it is
    /// not said of what, so it stays there.
    package var refusal: Refusal? {
        guard let code = Refusal.Code(rawValue: code) else { return nil }
        if let attemptsLeft {
            return Refusal(code, code == .matchCodeWrong ? .codesLeft(attemptsLeft) : .attemptsLeft(attemptsLeft))
        }
        if let maxAge { return Refusal(code, .maxAge(seconds: maxAge)) }
        if let member { return Refusal(code, .member(member)) }
        if let position { return Refusal(code, .item(position, nil)) }
        if let retryAfter, retryAfter != code.retryAfter { return Refusal(code, .retryAfter(seconds: retryAfter)) }
        return Refusal(code)
    }

    /// Its members. Readers ignore those that they do not know (RFC 9457 section 3.2).
    package static let shape = Shape(
        "Problem",
        [
            .required("type", .line, "urn:countersign:refusal: and the name"),
            .required("title", .text(max: 2048), "what is wrong, the same for every occurrence"),
            .required("status", .integer(400...599), "the HTTP status"),
            .required("detail", .text(max: 4096), "what is wrong, with its numbers"),
            .required("code", .integer(1...9999), "the refusal's number"),
            .required("name", .line, "the refusal's name"),
            .optional("error", .line, "the word of RFC 6749, 6750, 9449, 9470 or of CIBA"),
            .optional("attemptsLeft", .count, "how many answers may still be wrong"),
            .optional("statusCode", .number([102, 153]), "153 where no attempt is left"),
            .optional("retryAfter", .count, "when to ask again, in seconds"),
            .optional("maxAge", .count, "how old a log-in may be, in seconds"),
            .optional("until", .time, "when it will be allowed: the end of the cooling-off or of the probation"),
            .optional("member", .line, "the member of the request that is meant"),
            .optional("position", .integer(1...Int64(Batch.maxPayloads)), "which payload of a batch is meant"),
            .optional("requestID", .line, "the id of the request in the server's log"),
        ], isOpen: true)

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        status = try members.int("status")
        code = try members.int("code")
        name = try members.string("name")
        title = try members.string("title")
        detail = try members.string("detail")
        guard try members.string("type").hasSameUTF8(as: Self.typePrefix + name) else {
            throw Refusal(.memberValue, .member("type"))
        }
        error = members.optionalString("error")
        attemptsLeft = members.optionalInt("attemptsLeft")
        statusCode = members.optionalInt("statusCode")
        retryAfter = members.optionalInt("retryAfter")
        maxAge = members.optionalInteger("maxAge")
        until = members.optionalInteger("until")
        member = members.optionalString("member")
        position = members.optionalInt("position")
        requestID = members.optionalString("requestID")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "type", string: type)
        writer.member(name: "title", string: title)
        writer.member(name: "status", integer: status)
        writer.member(name: "detail", string: detail)
        writer.member(name: "code", integer: code)
        writer.member(name: "name", string: name)
        writer.member(name: "error", string: error)
        writer.member(name: "attemptsLeft", integer: attemptsLeft)
        writer.member(name: "statusCode", integer: statusCode)
        writer.member(name: "retryAfter", integer: retryAfter)
        writer.member(name: "maxAge", integer: maxAge)
        writer.member(name: "until", integer: until)
        writer.member(name: "member", string: member)
        writer.member(name: "position", integer: position)
        writer.member(name: "requestID", string: requestID)
        writer.endObject()
    }
}
