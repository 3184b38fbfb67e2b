internal import CountersignVerifier
package import SigningService
package import Wire

extension PushChallengeMessage {
    /// A challenge that was signed.
    package init(_ challenge: SignedPushChallenge) {
        self.init(notification: challenge.notification.text, challenge: challenge.text)
    }
}
