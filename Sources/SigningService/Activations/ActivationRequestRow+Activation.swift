internal import CountersignVerifier
internal import Devices
internal import Storage

extension ActivationRequestRow {
    /// The activation as its row says.
    ///
    /// - Throws: `StorageError.corrupt` where the row breaks a rule that none can break.
    func activation() throws -> Activation {
        guard let id = UUIDText(id), let state = activationState() else {
            throw StorageError(.corrupt, "an activation is in a state that none can be in")
        }
        return Activation(id: id, thumbprint: thumbprint, state: state, expiresAt: expiresAt)
    }

    /// Takes over what became of it.
    mutating func take(_ activation: Activation) {
        guard let word = State(rawValue: activation.state.status.rawValue) else { return }
        state = word
        expiresAt = activation.expiresAt
        switch activation.state {
        case .approved(let id): approver = id.text
        case .activated(let id): device = id.text
        default: break
        }
    }

    private func activationState() -> Activation.State? {
        switch state {
        case .offered: .offered
        case .waiting: .waiting
        case .approved: approver.flatMap { UUIDText($0) }.map { .approved(by: $0) }
        case .fallback: .fallback
        case .rejected: .rejected
        case .cancelled: .cancelled
        case .expired: .expired
        case .activated: device.flatMap { UUIDText($0) }.map { .activated($0) }
        }
    }
}

extension Approver {
    /// A device as its row says.
    init(_ row: DeviceRow) throws {
        guard let id = UUIDText(row.id) else { throw StorageError(.corrupt, "a device has an id that is none") }
        self.init(id: id, thumbprint: row.thumbprint, state: DeviceState(row.state), activatedAt: row.activatedAt)
    }
}
