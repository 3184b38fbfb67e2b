internal import CountersignKeys
package import CountersignVerifier
package import Sessions
internal import Signing
internal import Storage

/// An activation code that was just made.
package struct IssuedActivationCode: Sendable {
    /// Whose device it enrols.
    package let user: UserName
    /// The code, of which this is the only copy.
    package let code: ActivationCode
    /// When it ends, milliseconds since 1970.
    package let expiresAt: Int64
}

extension SigningEngine {
    /// Makes an activation code for a user, with which they enrol one device. It replaces one that was not used.
    ///
    /// - Throws: `userUnknown`.
    package func makeActivationCode(
        for name: UserName, once: Once<IssuedActivationCode>? = nil
    ) async throws -> IssuedActivationCode {
        let key = try activationKey()
        let masterKey = masterKey
        while true {
            let code = try ActivationCode.generate()
            let tag = try code.tag(key)
            let issued: IssuedActivationCode? = try await write { transaction in
                try transaction.begin(once)
                _ = try transaction.user(name)
                try transaction.tidySessions()
                let end = transaction.now.saturatingAdd(try transaction.settings().activationLife)
                let row = ActivationRow(
                    selector: code.selector, userName: name.text, tag: tag, createdAt: transaction.now, expiresAt: end)
                // Another user's code begins alike, which is once in a million: try again.
                guard try row.replace(on: transaction.connection) else { return nil }
                try transaction.record(.activationCodeMade, user: name.text)
                let issued = IssuedActivationCode(user: name, code: code, expiresAt: end)
                try transaction.keep(issued, once, masterKey)
                return issued
            }
            if let issued { return issued }
        }
    }

    /// The key under which activation codes are kept: a copy of the store alone tells none of them.
    func activationKey() throws -> MACKey { try masterKey.derive("countersign activation codes") }
}
