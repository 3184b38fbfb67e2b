/// What a stream tells. One at a time asks.
protocol EventSource: Sendable {
    /// What is to be told since the last time; the first time, how it stands.
    ///
    /// - Throws: where nothing more may be told, as when the session has ended.
    func news() async throws -> EventNews
}

/// What is to be told at once.
struct EventNews: Sendable {
    /// In the order in which it happened.
    let events: [ServerSentEvent]
    /// When there is more by the clock alone, in milliseconds since 1970; nil: never.
    var due: Int64?
    /// Whether nothing comes after it.
    var isLast = false
}
