package import CountersignJOSE
package import CountersignKeys
internal import Devices
package import Signing

/// `POST /v1/activations`: a device that nobody knows wants to be one of a user's. Its key proves itself by DPoP.
package struct BeginActivation: WireMessage {
    /// Whose device it wants to be.
    package let user: String
    /// How the device is to be called.
    package let name: String

    /// A request.
    package init(user: String, name: String) {
        self.user = user
        self.name = name
    }

    /// Its members.
    package static let shape = Shape(
        "BeginActivation",
        [
            .required("user", .line, "whose device it wants to be"),
            .required("name", .text(max: 65_536), "how the device is to be called: 3 to 50 characters"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        user = try members.string("user")
        name = try members.string("name")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "user", string: user)
        writer.member(name: "name", string: name)
        writer.endObject()
    }
}

/// How far a new device is on its way to its user.
package struct ActivationMessage: WireMessage {
    /// Its id.
    package let id: String
    /// How far it is.
    package let state: String
    /// How the device can be let in.
    package let options: [String]
    /// What the device shows while it waits, and the one that approves it confirms.
    package let matchCode: String?
    /// In how many seconds it ends if nothing happens.
    package let expiresIn: Int64

    /// The message with these members.
    package init(id: String, state: String, options: [String], matchCode: String? = nil, expiresIn: Int64) {
        self.id = id
        self.state = state
        self.options = options
        self.matchCode = matchCode
        self.expiresIn = expiresIn
    }

    /// Its members.
    package static let shape = Shape(
        "Activation",
        [
            .required("id", .uuid),
            .required("state", .word(Activation.Status.allCases.map(\.rawValue))),
            .required("options", .lines(max: 8), "how the device can be let in: verify, activation-code"),
            .optional("match_code", .line, "while it waits: to be shown, and confirmed where it is approved"),
            .required("expires_in", .count, "in seconds, if nothing happens; 0: it is over"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        id = try members.string("id")
        state = try members.string("state")
        options = members.optionalStrings("options") ?? []
        matchCode = members.optionalString("match_code")
        expiresIn = try members.integer("expires_in")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "id", string: id)
        writer.member(name: "state", string: state)
        writer.member(name: "options", strings: options)
        writer.member(name: "match_code", string: matchCode)
        writer.member(name: "expires_in", integer: expiresIn)
        writer.endObject()
    }
}

/// `POST /v1/activations/{id}/finish`: the password, once the device was approved.
package struct FinishActivation: WireMessage {
    /// The password.
    package let password: SecretBytes

    /// A request.
    package init(password: SecretBytes) { self.password = password }

    /// Its members.
    package static let shape = Shape("FinishActivation", [.required("password", .secret)])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) { password = try members.secret("password") }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "password", secret: password)
        writer.endObject()
    }
}
