internal import Signing
internal import Synchronization

/// How many bytes of bodies are held at once, in all and for each address: whoever sends many bodies, or sends them slowly,
/// takes neither the memory nor the places of others (attacks A3 and A4).
final class BodyMemory: Sendable {
    /// The most bytes for all.
    static let limit = 256 << 20
    /// The most for one address.
    static let share = 128 << 20
    /// The most for one address where a body is not small.
    static let largeShare = 64 << 20
    /// A small body: nearly all that people and programs send.
    static let small = 16_384

    private struct State {
        var total = 0
        var shares: [IPAddress: Int] = [:]
    }

    private let state = Mutex(State())

    /// Takes room for a part of a body. It is to be given back.
    ///
    /// - Parameters:
    ///   - count: the bytes of the part.
    ///   - size: the bytes of the body with this part.
    ///   - network: where it comes from; nil where that is not known.
    /// - Throws: `serverBusy`.
    func take(_ count: Int, of size: Int, from network: IPAddress?) throws(Refusal) {
        let isTaken = state.withLock { state in
            guard state.total + count <= Self.limit else { return false }
            if let network {
                let share = state.shares[network, default: 0] + count
                guard share <= (size > Self.small ? Self.largeShare : Self.share) else { return false }
                state.shares[network] = share
            }
            state.total += count
            return true
        }
        guard isTaken else { throw Refusal(.serverBusy) }
    }

    /// Gives room back.
    func give(_ count: Int, from network: IPAddress?) {
        guard count > 0 else { return }
        state.withLock { state in
            state.total -= count
            guard let network, let share = state.shares[network] else { return }
            state.shares[network] = share > count ? share - count : nil
        }
    }

    /// How many bytes are held.
    var total: Int { state.withLock { $0.total } }
}
