internal import CountersignVerifier
internal import Devices
package import SigningService
package import Wire

extension ActivationMessage {
    /// How far an activation is.
    package init(_ record: ActivationRecord) {
        self.init(
            id: record.id.text, state: record.status.rawValue, options: record.methods.map(\.rawValue),
            matchCode: record.matchCode, expiresIn: record.expiresIn)
    }
}
