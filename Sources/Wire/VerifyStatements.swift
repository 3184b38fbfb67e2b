package import CountersignJOSE
package import Signing

/// `POST /v1/verifications`: one statement or many.
package struct VerifyStatements: WireMessage {
    /// The statements, in the order of the answer.
    package let statements: [String]
    /// Whether one was asked for by itself, and the answer is one verdict rather than a list.
    package let isSingle: Bool
    /// What is asked of them beyond their signatures.
    package let policy: PolicyMessage

    /// The most statements of one request.
    package static let maxStatements = 1000

    /// One statement.
    package init(_ statement: String, policy: PolicyMessage = PolicyMessage()) {
        statements = [statement]
        isSingle = true
        self.policy = policy
    }

    /// Many statements.
    package init(_ statements: [String], policy: PolicyMessage = PolicyMessage()) {
        self.statements = statements
        isSingle = false
        self.policy = policy
    }

    /// Its members. Statements may be longer here than statements are, so that the verdict says so.
    package static let shape = Shape(
        "VerifyStatements",
        [
            .optional("statement", .text(max: 1 << 20), "a statement, or a JSON result with one in it"),
            .optional(
                "statements",
                .list(.text(max: 1 << 20), max: maxStatements, otherwise: .tooManyStatements), "statements"),
            .optional("policy", .message(PolicyMessage.shape)),
        ], alternatives: ["statement", "statements"])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        policy =
            try members.optionalObject("policy").map { (object) throws(Refusal) in try PolicyMessage(object) }
            ?? PolicyMessage()
        isSingle = members.optionalString("statement") != nil
        statements =
            members.optionalString("statement").map { [$0] } ?? members.optionalStrings("statements") ?? []
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if isSingle, let statement = statements.first {
            writer.member(name: "statement", string: statement)
        } else {
            writer.member(name: "statements", strings: statements)
        }
        writer.name("policy")
        policy.write(to: &writer)
        writer.endObject()
    }
}
