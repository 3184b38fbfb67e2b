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
    /// What relying services ask of persons.
    static let requestRoutes: [Route] = [
        Route(
            method: .post, path: PathPattern("/v1/requests"), name: "askPersons",
            summary: "Asks one person or several to sign; the outcome is asked for by the id",
            access: .sessions([.service]), input: .json(AskPersons.shape),
            answer: .json(AskedMessage.shape, status: 202), isIdempotencyKeyTaken: true,
            refusals: [
                .methodNotSupported, .payloadEmpty, .reasonEmpty, .userNameMalformed, .requestTermsMalformed,
                .groupUnknown, .deviceNotAllowed, .tooManyOpen,
            ]
        ) { call in
            let (draft, client) = (try call.message(AskPersons.self).draft(), try call.client())
            return try await call.answer({ AskedMessage($0) }) { once in
                try await call.service.engine.ask(draft, as: client, once: once)
            }
        },
        Route(
            method: .get, path: PathPattern("/v1/requests"), name: "listRequests",
            summary: "What the relying service asked, newest first", access: .sessions([.service]),
            answer: .json(ListMessage<RequestMessage>.shape), query: .paging, isHeavy: true,
            refusals: [.pageMalformed]
        ) { call in
            let records = try await call.service.engine.requests(of: call.client(), call.page())
            return .json(ListMessage(records.map { RequestMessage($0) }).json)
        },
        Route(
            method: .get, path: PathPattern("/v1/requests/{id}"), name: "request",
            summary: "What came of a request, or that it waits; or all of it as it happens (server-sent events)",
            access: .sessions([.service]),
            answer: .init(
                status: 200, type: "application/json", shape: RequestMessage.shape,
                alternatives: [EventStream.mediaType]),
            takesWait: true,
            refusals: [.requestUnknown, .authorizationPending, .slowDown, .cancelled, .requestExpired]
        ) { call in
            let (id, client, service) = (try call.askedID(), try call.client(), call.service)
            guard !call.prefers(EventStream.mediaType) else {
                // Another's is refused before a stream begins.
                _ = try await service.engine.request(id, as: client)
                let events = RequestEvents(
                    service.engine, id, client, try call.session(), requestID: call.requestID)
                return try call.events(of: .request(id), events)
            }
            let (record, fields) = try await call.waits(for: .request(id)) { (record: RequestRecord) in
                record.request.state != .pending
            } orAt: { record in
                record.request.expiresAt
            } _: {
                try await service.engine.request(id, as: client)
            }
            if record.request.state != .pending { service.polls.forget(id) }
            guard try record.isDone() else {
                // Whoever waits asks seldom enough.
                if fields.isEmpty, let seconds = service.polls.poll(id, at: service.now()) {
                    throw Refusal(.slowDown, .retryAfter(seconds: Int(clamping: seconds)))
                }
                throw Refusal(.authorizationPending)
            }
            return Reply.json(RequestMessage(record).json).with(fields)
        },
        Route(
            method: .delete, path: PathPattern("/v1/requests/{id}"), name: "cancelRequest",
            summary: "Takes a request back: nothing is signed for it any more", access: .sessions([.service]),
            answer: .nothing, refusals: [.requestUnknown, .requestOver, .requestExpired]
        ) { call in
            try await call.service.engine.cancel(request: call.askedID(), as: call.client())
            return .nothing
        },
    ]

    /// Groups of persons, for operators.
    static let groupRoutes: [Route] = [
        Route(
            method: .get, path: PathPattern("/v1/groups"), name: "listGroups", summary: "All groups of persons",
            access: .sessions([.operator]), answer: .json(ListMessage<GroupMessage>.shape)
        ) { call in .json(ListMessage(try await call.service.engine.groups().map { GroupMessage($0) }).json) },
        Route(
            method: .post, path: PathPattern("/v1/groups"), name: "addGroup", summary: "Adds a group of persons",
            access: .sessions([.operator]), input: .json(AddGroup.shape),
            answer: .json(GroupMessage.shape, status: 201), isIdempotencyKeyTaken: true,
            refusals: [.groupExists, .groupMalformed, .userNameMalformed, .userUnknown]
        ) { call in
            let message = try call.message(AddGroup.self)
            guard let name = GroupName(message.group) else { throw Refusal(.groupMalformed) }
            let members = try message.members.map { try SigningEngine.userName($0) }
            return try await call.answer({ GroupMessage($0) }) { once in
                try await call.service.engine.addGroup(name, members: members, once: once)
            }
        },
        Route(
            method: .put, path: PathPattern("/v1/groups/{name}"), name: "setGroup", summary: "Says who is in a group",
            access: .sessions([.operator]), input: .json(SetGroup.shape), answer: .json(GroupMessage.shape),
            refusals: [.groupUnknown, .groupMalformed, .userNameMalformed, .userUnknown]
        ) { call in
            let members = try call.message(SetGroup.self).members.map { try SigningEngine.userName($0) }
            guard let name = GroupName(call.parameter()) else { throw Refusal(.groupUnknown) }
            return .json(GroupMessage(try await call.service.engine.setGroup(name, members: members)).json)
        },
        Route(
            method: .delete, path: PathPattern("/v1/groups/{name}"), name: "deleteGroup",
            summary: "Removes a group; what was asked of it goes on", access: .sessions([.operator]),
            answer: .nothing, refusals: [.groupUnknown]
        ) { call in
            guard let name = GroupName(call.parameter()) else { throw Refusal(.groupUnknown) }
            try await call.service.engine.deleteGroup(name)
            return .nothing
        },
    ]
}

extension Call {
    /// The request that the path names.
    fileprivate func askedID() throws(Refusal) -> UUIDText {
        guard let id = UUIDText(parameter()) else { throw Refusal(.requestUnknown) }
        return id
    }

    /// The relying service that asks.
    fileprivate func client() throws(Refusal) -> ClientName {
        guard case .service(let client) = try session().owner else { throw Refusal(.scopeInsufficient) }
        return client
    }
}

extension AskPersons {
    /// What is wanted, by the rules.
    fileprivate func draft() throws -> RequestDraft {
        let persons: RequestDraft.Persons
        if let user {
            guard required == nil || required == 1 else { throw Refusal(.requestTermsMalformed, .member("required")) }
            persons = .person(try SigningEngine.userName(user))
        } else if let group {
            guard let name = GroupName(group) else { throw Refusal(.groupUnknown) }
            persons = .group(name, required: required)
        } else {
            persons = .several(try (users ?? []).map { try SigningEngine.userName($0) }, required: required)
        }
        let life = expiresIn.map { $0.multipliedReportingOverflow(by: 1000) }
        return RequestDraft(
            persons, requester: try requester.map { try SigningEngine.userName($0) }, payload: Array(payload.utf8),
            reason: Array(reason.utf8), level: level ?? 1, type: authenticatorType ?? 0,
            life: life.map { $0.overflow ? .max : $0.partialValue },
            match: matchCode.flatMap { RequestDraft.MatchChoice(rawValue: $0) })
    }
}
