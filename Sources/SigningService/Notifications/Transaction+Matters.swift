internal import Notifications
internal import Storage

extension Transaction {
    /// Lets what a notification is about learn what became of that, in the same commit.
    ///
    /// - Parameter choice: what was chosen, where it was answered.
    func settleMatter(of notification: Notification, _ choice: NotificationChoice?) throws {
        switch notification.matter {
        case .message: break
        case .request(let request): try settle(request, notification)
        case .activation(let matter): try settle(matter, notification, choice)
        }
    }
}
