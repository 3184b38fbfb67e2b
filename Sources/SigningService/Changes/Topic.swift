package import CountersignVerifier

/// What somebody may wait for a change of.
package enum Topic: Sendable, Hashable {
    /// What a person is told and asked, and where they are logged in: their notifications, devices and sessions.
    case person(UserName)
    /// A relying service's question to persons.
    case request(UUIDText)
    /// A device that wants to join.
    case activation(UUIDText)
    /// What is to be carried.
    case outbox
}

/// What one transaction changed. It lives as long as the transaction: what runs again collects again.
final class TopicList {
    private(set) var topics: Set<Topic> = []

    func add(_ topic: Topic) { topics.insert(topic) }
}
