/// Names and values, one pair a line, the values below each other. The caller has escaped the values.
enum FactSheet {
    static func lines(_ facts: [(name: String, value: String)], indent: String = "") -> String {
        let width = facts.map(\.name.utf8.count).max() ?? 0
        return facts.map { fact in
            let gap = String(repeating: " ", count: width - fact.name.utf8.count)
            return "\(indent)\(fact.name):\(gap) \(fact.value)\n"
        }.joined()
    }
}
