package import Sessions

/// A live session as its owner sees it in a list.
package struct SessionInfo: Sendable {
    /// The session.
    package let session: Session
    /// What the owner calls the device, where there is one.
    package let deviceName: String?
}
