/// How many answers may be wrong and what follows; a store's settings.
package struct AttemptRules: Sendable, Hashable {
    /// Wrong answers until a block.
    package let attempts: Int
    /// The length of the first, second, ... block in minutes; the last is that of all further ones.
    package let blockMinutes: [Int]
    /// Wrong answers without a right one until only the operator can unlock.
    package let operatorAfter: Int

    /// 3 attempts, then 5, 10, 15 and again 15 minutes; the operator after 30.
    package static let standard = AttemptRules(checked: 3, blockMinutes: [5, 10, 15], operatorAfter: 30)

    /// Nil where the numbers make no sense: attempts outside 1...10, no block or more than 10, a block outside 1...1,440
    /// minutes, the operator before the first block or after more than 1,000.
    package init?(attempts: Int, blockMinutes: [Int], operatorAfter: Int) {
        guard (1...10).contains(attempts), (1...10).contains(blockMinutes.count),
            blockMinutes.allSatisfy({ (1...1440).contains($0) }), (attempts...1000).contains(operatorAfter)
        else { return nil }
        self.init(checked: attempts, blockMinutes: blockMinutes, operatorAfter: operatorAfter)
    }

    private init(checked attempts: Int, blockMinutes: [Int], operatorAfter: Int) {
        self.attempts = attempts
        self.blockMinutes = blockMinutes
        self.operatorAfter = operatorAfter
    }

    /// The length of a block in milliseconds, by the number of blocks before it.
    func block(after rounds: Int) -> Int64 {
        let minutes = rounds < blockMinutes.count ? blockMinutes[max(0, rounds)] : blockMinutes.last ?? 15
        return Int64(minutes) * 60_000
    }
}
