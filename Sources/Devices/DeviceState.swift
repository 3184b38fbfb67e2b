package import Signing

/// Where a device is in its life.
package enum DeviceState: String, Sendable, Hashable, CaseIterable {
    /// It may log in.
    case active
    /// The operator took it out of use, until it is unblocked.
    case blocked
    /// It was deleted, for ever (rule D33).
    case deleted

    /// What happens to a device.
    package enum Event: Sendable, Hashable, CaseIterable {
        /// The operator blocks it.
        case block
        /// The operator unblocks it.
        case unblock
        /// Its user or the operator deletes it.
        case delete
    }

    /// The state after an event. To block twice, or to unblock what is active, is harmless.
    ///
    /// - Throws: `deviceUnknown` for one that was deleted.
    package func after(_ event: Event) throws(Refusal) -> DeviceState {
        switch (self, event) {
        case (.deleted, _): throw Refusal(.deviceUnknown)
        case (_, .block): .blocked
        case (_, .unblock): .active
        case (_, .delete): .deleted
        }
    }
}
