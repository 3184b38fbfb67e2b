internal import CountersignVerifier
internal import Notifications
package import SigningService
package import Wire

extension RequestMessage {
    /// A request as it stands.
    package init(_ record: RequestRecord) {
        let (request, matter) = (record.request, record.request.matter)
        let status: Status =
            switch request.state {
            case .pending: .pending
            case .done: .done
            case .declined: .declined
            case .expired: .expired
            case .cancelled: .cancelled
            }
        var (result, bundle): (SignedResult?, String?)
        switch record.outcome {
        case nil: break
        case .statement(let signed): result = signed
        case .bundle(let text): bundle = String(decoding: text, as: UTF8.self)
        }
        self.init(
            id: matter.id.text, status: status, payload: matter.payload, reason: matter.reason, level: matter.level,
            authenticatorType: matter.type, group: record.group, requester: matter.requester?.text,
            quorum: matter.quorum?.description, users: request.persons.keys.sorted().map(\.text),
            signed: request.signed, declined: request.declined, createdAt: request.createdAt,
            expiresAt: request.expiresAt, changedAt: request.state.changedAt, result: result, bundle: bundle)
    }
}

extension AskedMessage {
    /// A request that was just made.
    package init(_ made: MadeRequest) {
        self.init(
            id: made.request.matter.id.text, expiresIn: (made.request.expiresAt - made.request.createdAt) / 1000,
            interval: RequestLife.interval, matchCode: made.matchCode?.text)
    }
}

extension GroupMessage {
    /// A group.
    package init(_ group: PersonGroup) {
        self.init(
            group: group.name.text, members: group.members, createdAt: group.createdAt, changedAt: group.changedAt)
    }
}
