package import CountersignVerifier
package import Devices

/// How far a new device is on its way to its user, as it may know itself.
package struct ActivationRecord: Sendable, Hashable {
    /// Its id.
    package let id: UUIDText
    /// How far it is.
    package let status: Activation.Status
    /// How it may be let in here (rule A03).
    package let methods: [ActivationMethod]
    /// What it shows and the approving device confirms, while it waits.
    package let matchCode: String?
    /// In how many whole seconds it ends if nothing happens; 0 where it is over.
    package let expiresIn: Int64
}
