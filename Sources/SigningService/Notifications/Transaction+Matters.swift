internal import Notifications
internal import Storage

extension Transaction {
    /// Lets what a notification is about learn what became of that, in the same commit.
    ///
    /// - Parameter isNotMe: whether the person said that it was not they who began this.
    func settleMatter(of notification: Notification, isNotMe: Bool) throws {
        switch notification.matter {
        case .message, .request, .activation: break
        }
    }
}
