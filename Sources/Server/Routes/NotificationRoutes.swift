internal import CountersignVerifier
internal import HTTPTypes
internal import Notifications
internal import ServiceMessages
internal import Sessions
internal import Signing
internal import SigningService
internal import Storage
internal import Wire

extension Service {
    /// What persons are told and asked.
    static let notificationRoutes: [Route] = [
        Route(
            method: .post, path: PathPattern("/v1/notifications"), name: "createNotification",
            summary: "Tells or asks a person something", access: .sessions([.service, .operator]),
            input: .json(CreateNotification.shape), answer: .json(NotificationMessage.shape, status: 201),
            isIdempotencyKeyTaken: true,
            refusals: [
                .notificationMalformed, .methodNotSupported, .userNameMalformed, .authenticationFailed, .userUnknown,
                .userLocked, .tooManyOpen,
            ]
        ) { call in
            let message = try call.message(CreateNotification.self)
            let user = try SigningEngine.userName(message.user)
            let life = message.expiresIn.map { $0.multipliedReportingOverflow(by: 1000) }
            let draft = NotificationDraft(
                content: try NotificationContent(message.bodies, message.actions),
                life: life.map { $0.overflow ? .max : $0.partialValue }, enterprise: message.enterprise)
            let owner = try call.session().owner
            try call.countNotification()
            return try await call.answer({ NotificationMessage($0) }) { once in
                try await call.service.engine.notify(user, draft, as: owner, once: once)
            }
        },
        Route(
            method: .get, path: PathPattern("/v1/notifications"), name: "listNotifications",
            summary: "What waits for the person, newest first: getNotifications", access: .sessions([.person]),
            answer: .json(ListMessage<NotificationMessage>.shape), query: .records(count: 0) + .days("made"),
            isHeavy: true, takesWait: true, refusals: [.startIndex, .recordCount, .dateMalformed], isTagged: true
        ) { call in
            let (person, period, range) = (try call.person(), try call.period(), try call.range(count: 0))
            // Something new is another list than the one that the client has; for who has none, one that is not empty.
            let hasList = call.fields.contains(.ifNoneMatch)
            let (list, fields) = try await call.waits(for: .person(person)) { list in
                hasList ? list.reply.status != 304 : !list.isEmpty
            } _: {
                let records = try await call.service.engine.notifications(of: person, period, range)
                let text = ListMessage(records, from: range).json
                return (reply: try call.tagged(text, type: "application/json"), isEmpty: records.isEmpty)
            }
            return list.reply.with(fields)
        },
        Route(
            method: .get, path: PathPattern("/v1/notifications/history"), name: "notificationHistory",
            summary: "What became of the person's notifications, newest first: getNotificationHistory",
            access: .sessions([.person]), answer: .json(ListMessage<NotificationMessage>.shape),
            query: .records(count: 10) + [
                .text("status", "UPDATED, EXPIRED, DISCARDED or DISMISSED; empty: all"),
                .text("action", "the action that was performed, or NONE; empty: all"),
                .text("keyword", "in subject or message of any language, in either case; empty: no search"),
                .text("device", "sent to this device or answered by it; empty: all"),
                .text("enterprise", "of this enterprise; empty: all"),
            ] + .days("changed"), isHeavy: true, refusals: [.startIndex, .recordCount, .dateMalformed, .serverBusy]
        ) { call in
            let query = call.query
            let filter = try HistoryFilter(
                status: query["status"] ?? "", action: query["action"] ?? "", keyword: query["keyword"] ?? "",
                device: query["device"] ?? "", from: query["from"] ?? "", to: query["to"] ?? "",
                enterprise: query["enterprise"] ?? "")
            let (person, range) = (try call.person(), try call.range(count: 10))
            let read = {
                try await call.service.engine.notificationHistory(of: person, filter, range)
            }
            let records = try await filter.keyword == nil ? read() : call.searching(read)
            return .json(ListMessage(records, from: range).json)
        },
        Route(
            method: .get, path: PathPattern("/v1/notifications/{id}"), name: "notification",
            summary: "A notification as it stands: the person's own, one that a relying service asked for, or any",
            access: .sessions([.person, .service, .operator]), answer: .json(NotificationMessage.shape),
            refusals: [.notificationUnknown]
        ) { call in
            let record = try await call.service.engine.notification(call.notification(), as: call.session().owner)
            return .json(NotificationMessage(record).json)
        },
        Route(
            method: .post, path: PathPattern("/v1/notifications/{id}/answer"), name: "answerNotification",
            summary: "Chooses an action: updateNotification. One with a level is signed before it counts",
            access: .sessions([.person]), input: .json(AnswerNotification.shape),
            answer: .json(NotificationAnswerMessage.shape), isIdempotencyKeyTaken: true,
            refusals: [
                .notificationUnknown, .notificationProcessed, .notificationExpired, .notificationWithoutActions,
                .actionNotOffered, .matchCodeWrong, .deviceNotAllowed, .methodNotSupported, .ceremonyOpen,
                .stepUpNeeded,
            ]
        ) { call in
            let message = try call.message(AnswerNotification.self)
            let (id, session) = (try call.notification(), try call.session())
            let choice = NotificationChoice(
                action: message.action, language: message.language, matchCode: message.matchCode,
                isNotMe: message.isNotMe, blocksActivations: message.blocksActivations)
            return try await call.answer({ NotificationAnswerMessage($0) }) { once in
                try await call.service.engine.answer(notification: id, as: session, choice, once: once)
            }
        },
        Route(
            method: .post, path: PathPattern("/v1/notifications/{id}/dismiss"), name: "dismissNotification",
            summary: "Closes a notification without an answer", access: .sessions([.person, .operator]),
            answer: .json(NotificationMessage.shape), isIdempotencyKeyTaken: true,
            refusals: [.notificationUnknown, .notificationProcessed, .notificationExpired]
        ) { call in
            let (id, session) = (try call.notification(), try call.session())
            return try await call.answer({ NotificationMessage($0) }) { once in
                try await call.service.engine.dismiss(notification: id, as: session, once: once)
            }
        },
        Route(
            method: .delete, path: PathPattern("/v1/notifications/{id}"), name: "withdrawNotification",
            summary: "Withdraws a notification, for whoever asked", access: .sessions([.service, .operator]),
            answer: .nothing, refusals: [.notificationUnknown, .notificationProcessed, .notificationExpired]
        ) { call in
            try await call.service.engine.withdraw(notification: call.notification(), as: call.session())
            return .nothing
        },
    ]
}

extension Call {
    /// Counts one more of what a relying service tells or asks persons.
    ///
    /// - Throws: `tooManyRequests`.
    func countNotification() throws(Refusal) {
        guard case .service(let client) = try session().owner,
            let seconds = service.notifications.take(of: client.text, at: now)
        else { return }
        throw Refusal(.tooManyRequests, .retryAfter(seconds: seconds))
    }

    /// The notification that the path names.
    fileprivate func notification() throws(Refusal) -> UUIDText {
        guard let id = UUIDText(parameter()) else { throw Refusal(.notificationUnknown) }
        return id
    }

    /// The person who asks.
    fileprivate func person() throws(Refusal) -> UserName {
        guard case .person(let user) = try session().owner else { throw Refusal(.scopeInsufficient) }
        return user
    }

    /// The days that a list is narrowed to.
    fileprivate func period() throws(Refusal) -> Period {
        try Period(from: query["from"] ?? "", to: query["to"] ?? "")
    }

    /// The part of a list.
    fileprivate func range(count: Int) throws(Refusal) -> RecordRange {
        try RecordRange(
            startIndex: number("startIndex", .startIndex) ?? 1, count: number("count", .recordCount) ?? count)
    }

    private func number(_ name: String, _ code: Refusal.Code) throws(Refusal) -> Int? {
        do throws(Refusal) { return try query.integer(name) } catch { throw Refusal(code) }
    }
}

extension ListMessage<NotificationMessage> {
    /// A part of a list, which begins where the range does.
    fileprivate init(_ records: Portion<NotificationRecord>, from range: RecordRange) {
        self.init(
            records.map { NotificationMessage($0) }, next: records.isCut ? range.startIndex + records.count : nil)
    }
}

extension [Route.Item] {
    /// The part of a list, as the source documents count.
    fileprivate static func records(count: Int) -> [Route.Item] {
        [
            .integer("startIndex", 1...Int64(Int32.max), "the first entry, from 1"),
            .integer(
                "count", 0...Int64(Int32.max),
                "how many at most, else \(count); 0: all. One answer has at most 1,000, and about 1 MiB: ask on by next"
            ),
        ]
    }

    /// Whole days of UTC.
    fileprivate static func days(_ what: String) -> [Route.Item] {
        [
            .text("from", "\(what) on this day of UTC or after, YYYY-MM-DD; empty: no limit"),
            .text("to", "\(what) on this day of UTC or before, YYYY-MM-DD; empty: no limit"),
        ]
    }
}
