internal import Synchronization

/// Wakes those who wait for a change, once it is committed.
///
/// It holds nothing of what changed: whoever is woken reads the store. A watch that is taken before the reading misses nothing that is
/// committed after it. What another process commits is told by whoever finds it: see `SigningEngine.tellOfOthers`.
package final class ChangeHub: Sendable {
    /// How many may watch at once.
    package struct Limits: Sendable, Hashable {
        /// In all.
        package var inAll: Int
        /// The same topic.
        package var perTopic: Int

        /// Two limits.
        package init(inAll: Int, perTopic: Int) {
            self.inAll = inAll
            self.perTopic = perTopic
        }
    }

    /// Why there is no watch.
    package enum Full: Error, Hashable {
        /// Too many watch.
        case inAll
        /// Too many watch this topic.
        case topic
    }

    /// Why a wait ended.
    package enum Wake: Sendable, Hashable {
        /// Something changed. Several changes may be one wake.
        case changed
        /// Nothing did in the time given.
        case timeOver
        /// Nothing more is told: the watch ended, or the service stops.
        case ended
    }

    /// How often time is looked at, in milliseconds.
    private static let step: Int64 = 250

    private let clock: EngineClock
    private let state = Mutex(ChangePlaces())

    init(clock: EngineClock) { self.clock = clock }

    /// How many watch.
    package var count: Int { state.withLock { $0.places.count } }

    /// How many wait at this moment.
    package var waiting: Int { state.withLock { $0.waiting } }

    /// Whether somebody watches this.
    package func isWatched(_ topic: Topic) -> Bool { state.withLock { $0.topics[topic] != nil } }

    /// Watches a topic from now on, as long as the watch is held.
    package func watch(_ topic: Topic, _ limits: Limits) throws(Full) -> ChangeWatch {
        let id: Result<UInt64, Full> = state.withLock { state in
            guard state.places.count < limits.inAll else { return .failure(.inAll) }
            guard state.topics[topic, default: []].count < limits.perTopic else { return .failure(.topic) }
            state.next += 1
            state.places[state.next] = ChangePlaces.Place(topic: topic, isEnded: state.isStopped)
            state.topics[topic, default: []].append(state.next)
            return .success(state.next)
        }
        return ChangeWatch(id: try id.get(), hub: self)
    }

    /// Wakes those who watch one of these.
    package func tell(_ topics: Set<Topic>) {
        guard !topics.isEmpty else { return }
        let woken = state.withLock { state in
            topics.flatMap { state.topics[$0] ?? [] }.compactMap { id in
                state.places[id]?.isChanged = true
                return state.wake(id)
            }
        }
        for waiter in woken { waiter.resume(returning: .changed) }
    }

    /// Ends all watches, and those that are taken later: the service stops.
    package func stop() {
        let woken = state.withLock { state in
            state.isStopped = true
            return state.places.keys.sorted().compactMap { id in
                state.places[id]?.isEnded = true
                return state.wake(id)
            }
        }
        for waiter in woken { waiter.resume(returning: .ended) }
    }

    // MARK: A watch's part

    func end(_ id: UInt64) {
        let waiter = state.withLock { state in
            state.places[id]?.isEnded = true
            return state.wake(id)
        }
        waiter?.resume(returning: .ended)
    }

    func leave(_ id: UInt64) {
        state.withLock { state in
            guard let place = state.places.removeValue(forKey: id) else { return }
            state.topics[place.topic]?.removeAll { $0 == id }
            if state.topics[place.topic]?.isEmpty == true { state.topics[place.topic] = nil }
        }
    }

    func next(_ id: UInt64, within milliseconds: Int64) async -> Wake {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let (wake, isFirst) = state.withLock { $0.wait(id, waiter, milliseconds, at: clock.now()) }
                if let wake { waiter.resume(returning: wake) }
                if isFirst { Task { await watchTime() } }
            }
        } onCancel: {
            end(id)
        }
    }

    // MARK: Time

    /// Wakes those whose time is over, until nobody waits. One look for all: a timer for each of thousands would cost more.
    private func watchTime() async {
        while true {
            do { try await clock.sleep(Self.step) } catch { return }
            let (woken, isLast) = state.withLock { $0.look(at: clock.now()) }
            for waiter in woken { waiter.resume(returning: .timeOver) }
            if isLast { return }
        }
    }
}
