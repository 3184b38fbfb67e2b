package import CountersignVerifier
package import Signing

/// The days that a list is narrowed to: whole days of UTC, both ends included (rule O28).
package struct Period: Sendable, Hashable {
    /// At or after, in milliseconds since 1970; nil: no limit.
    package let since: Int64?
    /// Before; nil: no limit.
    package let until: Int64?

    /// From a first to a last day; an empty text is no limit (rules A18, H05, H06).
    ///
    /// - Throws: `dateMalformed`.
    package init(from first: String = "", to last: String = "") throws(Refusal) {
        since = first.isEmpty ? nil : try CalendarDay(first).start
        until = last.isEmpty ? nil : try CalendarDay(last).end
    }

    /// Whether a time is in it.
    package func contains(_ time: Int64) -> Bool {
        (since.map { time >= $0 } ?? true) && (until.map { time < $0 } ?? true)
    }
}

/// Which part of a list is asked for, as the source documents count: from 1, and 0 for all (rules A16, A17, H02, H03).
package struct RecordRange: Sendable, Hashable {
    /// The first, from 1.
    package let startIndex: Int
    /// How many at most; 0: all.
    package let count: Int

    /// - Throws: `startIndex`, `recordCount` for what is out of range. Numbers are those of 32 bits (rule G11).
    package init(startIndex: Int, count: Int) throws(Refusal) {
        guard (1...Int(Int32.max)).contains(startIndex) else { throw Refusal(.startIndex) }
        guard (0...Int(Int32.max)).contains(count) else { throw Refusal(.recordCount) }
        self.startIndex = startIndex
        self.count = count
    }

    /// How many one answer has where at most `limit` fit into it.
    package func count(limit: Int) -> Int { count == 0 ? limit : min(count, limit) }
}

/// What the history is narrowed to; an absent filter lets everything through (rules H04-H10).
package struct HistoryFilter: Sendable, Hashable {
    /// Only what became this (rule H07).
    package var status: Notification.Status?
    /// Only where this action was performed; `NONE`: where none was (rules H08, H12).
    package var action: String?
    /// Only with this text in subject or message of any language, in either case (rules H09, O31).
    package var keyword: String?
    /// Only what was sent to this device, or answered by it (rules H10, O32).
    package var device: UUIDText?
    /// Only of these days, by the time of the last change (rule O28).
    package var period: Period?
    /// Only of this enterprise (rules H04, O33).
    package var enterprise: String?

    /// Everything.
    package init() {}

    /// A filter of texts as they came; an empty one is none (rules H04-H10).
    ///
    /// - Throws: `memberValue` for a status that no entry has, and a device that is no id; `dateMalformed`.
    package init(
        status: String, action: String, keyword: String, device: String, from: String, to: String, enterprise: String
    ) throws(Refusal) {
        if !status.isEmpty {
            guard let known = Notification.Status(rawValue: status), known.isFinal else {
                throw Refusal(.memberValue, .member("status"))
            }
            self.status = known
        }
        if !device.isEmpty {
            guard let id = UUIDText(device) else { throw Refusal(.memberValue, .member("device")) }
            self.device = id
        }
        self.action = action.isEmpty ? nil : action
        self.keyword = keyword.isEmpty ? nil : keyword
        self.enterprise = enterprise.isEmpty ? nil : enterprise
        period = try Period(from: from, to: to)
    }
}

/// The name of an enterprise, where a service is there for several: 1 to 64 visible ASCII characters (rule O33).
package enum EnterpriseName {
    /// Takes a name that is one already.
    ///
    /// - Throws: `notificationMalformed`.
    package static func check(_ text: String) throws(Refusal) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .malformedNotification("enterprise")
        }
    }
}
