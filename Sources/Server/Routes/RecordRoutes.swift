internal import CountersignJOSE
internal import CountersignVerifier
internal import HTTPTypes
internal import ServiceMessages
internal import Sessions
internal import Signing
internal import SigningService
internal import Storage
internal import Wire

extension Service {
    /// What was signed, and what happened.
    static let recordRoutes: [Route] = [
        Route(
            method: .get, path: PathPattern("/v1/statements"), name: "listStatements",
            summary: "Statements, newest first: a person's own, those a relying service asked for, or all",
            access: .sessions([.person, .service, .operator]), answer: .json(ListMessage<StatementMessage>.shape),
            query: [
                .text("user", "signed by this user"), .time("since", "signed at or after"),
                .time("until", "signed before"), .text("kid", "signed with this key"),
                .integer("level", 0...4, "signed at this level"),
                .text("keyword", "in payload or reason, in either case"),
            ] + .paging, isHeavy: true, refusals: [.pageMalformed, .serverBusy]
        ) { call in
            let filter = StatementRow.Filter(
                userName: call.query["user"], since: try call.time("since"), until: try call.time("until"),
                kid: call.query["kid"], level: try call.query.integer("level"), keyword: call.query["keyword"])
            let (page, owner) = (try call.page(), try call.session().owner)
            let read = { try await call.service.engine.statements(filter, page, as: owner) }
            let rows = try await filter.keyword == nil ? read() : call.searching(read)
            return .json(ListMessage(rows.map(StatementMessage.init)).json)
        },
        Route(
            method: .get, path: PathPattern("/v1/statements/{jti}"), name: "statement",
            summary: "A statement; with Accept: application/jose, its text alone",
            access: .sessions([.person, .service, .operator]),
            answer: Route.Answer(
                status: 200, type: "application/json", shape: StatementMessage.shape,
                alternatives: ["application/jose"]),
            refusals: [.statementUnknown]
        ) { call in
            guard let id = UUIDText(call.parameter()) else { throw Refusal(.statementUnknown) }
            let row = try await call.service.engine.statement(id, as: call.session().owner)
            guard !call.prefers("application/jose") else {
                return Reply(200, .bytes(Array(row.text.utf8), type: "application/jose"))
            }
            return .json(StatementMessage(row).json)
        },
        Route(
            method: .get, path: PathPattern("/v1/audit"), name: "audit",
            summary: "What happened, newest first; with Accept: application/x-ndjson, all of it, a line an entry",
            access: .sessions([.operator]),
            answer: Route.Answer(
                status: 200, type: "application/json", shape: ListMessage<AuditMessage>.shape,
                alternatives: ["application/x-ndjson"]),
            query: [
                .text("event", "only this event"), .text("user", "about this user"),
                .text("ceremony", "of this ceremony"), .text("jti", "about this statement"),
                .time("since", "at or after"), .time("until", "before"),
                .integer(
                    "before", 1...9_007_199_254_740_991,
                    "older than the entry with this seq: where a list goes on, whatever was added to it meanwhile"),
            ] + .paging, isHeavy: true, refusals: [.pageMalformed]
        ) { call in
            let filter = AuditRow.Filter(
                event: call.query["event"], userName: call.query["user"], ceremony: call.query["ceremony"],
                jti: call.query["jti"], since: try call.time("since"), until: try call.time("until"),
                before: try call.query.integer("before").map { Int64($0) })
            let page = try call.page()
            guard !call.prefers("application/x-ndjson") else {
                let export = AuditExport(engine: call.service.engine, filter: filter)
                return Reply(200, .pieces(type: "application/x-ndjson") { try await export.next() })
            }
            let rows = try await call.service.engine.audit(filter, page)
            return .json(ListMessage(rows.map(AuditMessage.init)).json)
        },
        Route(
            method: .get, path: PathPattern("/v1/deliveries"), name: "deliveries",
            summary: "What was to be carried to the webhook and to devices, newest first, and what became of it",
            access: .sessions([.operator]), answer: .json(ListMessage<DeliveryMessage>.shape),
            query: [
                .word("state", DeliveryMessage.states, "what became of it"),
                .word("transport", DeliveryMessage.transports, "carried by this"),
                .text("user", "about this user"), .text("notification", "about this notification"),
                .time("since", "made at or after"), .time("until", "made before"),
            ] + .paging, isHeavy: true, refusals: [.pageMalformed]
        ) { call in
            let filter = OutboxRow.Filter(
                state: try call.word("state"), transport: try call.word("transport"), userName: call.query["user"],
                notification: call.query["notification"], since: try call.time("since"),
                until: try call.time("until"))
            let rows = try await call.service.engine.deliveries(filter, call.page())
            return .json(ListMessage(rows.map(DeliveryMessage.init)).json)
        },
    ]
}

/// The whole audit, newest first, a page at a time. Each begins where the one before ended, whatever was added meanwhile.
private actor AuditExport {
    private let engine: SigningEngine
    private var filter: AuditRow.Filter

    init(engine: SigningEngine, filter: AuditRow.Filter) {
        self.engine = engine
        self.filter = filter
    }

    /// The next lines; nil at the end.
    func next() async throws -> [UInt8]? {
        guard let page = Page(startIndex: 1, count: Page.limit) else { return nil }
        let rows = try await engine.audit(filter, page)
        guard let last = rows.last?.seq else { return nil }
        filter.before = last
        var lines: [UInt8] = []
        for row in rows {
            lines += AuditMessage(row).json
            lines.append(0x0A)
        }
        return lines
    }
}

extension Call {
    /// Reads what a keyword is looked for in, when it is the turn of whoever asks.
    ///
    /// - Throws: `serverBusy`.
    func searching<Value: Sendable>(_ read: () async throws -> Value) async throws -> Value {
        try await service.searches.run(from: address?.network ?? .unknown, read)
    }

    /// A time of the query, milliseconds since 1970.
    fileprivate func time(_ name: String) throws(Refusal) -> Int64? { try query.integer(name).map { Int64($0) } }

    /// One of the words of a closed list.
    fileprivate func word<Word: RawRepresentable<String>>(_ name: String) throws(Refusal) -> Word? {
        guard let text = query[name] else { return nil }
        guard let word = Word(rawValue: text) else { throw Refusal(.memberValue, .member(name)) }
        return word
    }

    /// The page of the query, else the first hundred.
    func page() throws(Refusal) -> Page {
        guard let page = Page(startIndex: try number("startIndex") ?? 1, count: try number("count") ?? 100) else {
            throw Refusal(.pageMalformed)
        }
        return page
    }

    private func number(_ name: String) throws(Refusal) -> Int? {
        do throws(Refusal) { return try query.integer(name) } catch { throw Refusal(.pageMalformed) }
    }
}

extension Route.Item {
    static func text(_ name: String, _ note: String) -> Route.Item {
        var schema = JSONObject()
        schema["type"] = .string("string")
        return Route.Item(name: name, note: note, schema: .object(schema))
    }

    static func word(_ name: String, _ words: [String], _ note: String) -> Route.Item {
        var schema = JSONObject()
        schema["type"] = .string("string")
        schema["enum"] = .array(words.map { .string($0) })
        return Route.Item(name: name, note: note, schema: .object(schema))
    }

    static func integer(_ name: String, _ range: ClosedRange<Int64>, _ note: String) -> Route.Item {
        var schema = JSONObject()
        schema["type"] = .string("integer")
        schema["minimum"] = .number(JSONNumber(range.lowerBound))
        schema["maximum"] = .number(JSONNumber(range.upperBound))
        return Route.Item(name: name, note: note, schema: .object(schema))
    }

    static func time(_ name: String, _ note: String) -> Route.Item {
        integer(name, 0...253_402_300_799_999, note + ", milliseconds since 1970")
    }
}

extension [Route.Item] {
    /// The part of a list.
    static let paging: [Route.Item] = [
        .integer("startIndex", 1...9_007_199_254_740_991, "the first entry, from 1"),
        .integer("count", 1...Int64(Page.limit), "how many at most; else 100"),
    ]
}
