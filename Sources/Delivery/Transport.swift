package import SigningService

/// A way to devices or to the webhook: what an implementation adds is a file here.
package protocol Transport: Sendable {
    /// Which of the outbox it carries.
    var name: Delivery.Transport { get }

    /// Tries once to carry something. It does not throw: what went wrong is an outcome, and its reason holds nothing of what is carried, no
    /// token and no URL.
    func send(_ delivery: Delivery) async -> Delivery.Outcome
}
