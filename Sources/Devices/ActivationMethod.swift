/// How a new device may be let in (rules A03, A04 and O14).
package enum ActivationMethod: String, Sendable, Hashable, CaseIterable {
    /// Another device of the user approves it.
    case verify
    /// The user types a code that reached them in another way.
    case activationCode = "activation-code"
}
