import CountersignVerifier
import Devices
import Notifications
import Sessions
import SigningService
import Storage

extension ServiceRun {
    // MARK: At the end

    /// Nothing that happened is missing in what is kept of it, and nothing is there twice.
    func compareRecords() async throws {
        let now = try await now()
        for person in model.people.indices {
            model.expire(person, at: now)
            let name = model.people[person].name
            let over = model.questions.filter { $0.person == person && $0.state != .pending }
            try await compareHistory(of: name, HistoryFilter(), over)
            for (number, device) in model.devices.enumerated() where device.person == person {
                var filter = HistoryFilter()
                filter.device = device.id
                try await compareHistory(of: name, filter, over.filter { isOf(number, $0) })
                // Nothing waits for what is out of use.
                guard device.state != .active else { continue }
                for id in model.questions.filter({ $0.sentTo.contains(number) }).compactMap(\.id).suffix(5) {
                    guard try await store.engine.pushChallenge(for: id, on: device.id) == nil else {
                        throw Difference("\(device.name) is \(device.state), and gets \(id)")
                    }
                }
            }
        }
        try await compare(all: true)
        for (statement, signing) in model.statements {
            guard try await store.engine.statements(ofCeremony: signing).map(\.jti) == [statement.text] else {
                throw Difference("signing \(signing) did not make \(statement)")
            }
        }
    }

    private func isOf(_ device: Int, _ question: ServiceModel.Question) -> Bool {
        if case .updated(let answer) = question.state, answer.device == model.devices[device].id { return true }
        return question.sentTo.contains(device)
    }

    private func compareHistory(
        of name: UserName, _ filter: HistoryFilter, _ expected: [ServiceModel.Question]
    ) async throws {
        let found = try await all { range in
            try await self.store.engine.notificationHistory(of: name, filter, range)
        }
        let order = expected.map { ($0.state.changedAt ?? 0, $0.id?.text ?? "lost") }.sorted { $0 > $1 }.map(\.1)
        guard found.map(\.notification.id.text) == order else {
            throw Difference("\(name.text)'s history has \(found.count) entries, not the \(order.count)")
        }
        let states = Dictionary(uniqueKeysWithValues: expected.map { ($0.id?.text ?? "", $0.state) })
        for record in found where states[record.notification.id.text] != record.notification.state {
            throw Difference("the history says \(record.notification.state) of \(record.notification.id)")
        }
    }

    /// Every record of a list, page by page.
    func all(
        _ read: (RecordRange) async throws -> Portion<NotificationRecord>
    ) async throws -> [NotificationRecord] {
        var found: [NotificationRecord] = []
        while true {
            let portion = try await read(RecordRange(startIndex: found.count + 1, count: 0))
            found += Array(portion)
            if !portion.isCut { return found }
        }
    }
}
