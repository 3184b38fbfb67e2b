/// Ends the process where a rule does not hold, so that the fuzzer keeps the input.
public func expect(_ holds: Bool, _ rule: String) {
    if !holds { fatalError("rule broken: \(rule)") }
}

/// A value without which a rule does not hold.
public func expected<Value>(_ value: Value?, _ rule: String) -> Value {
    guard let value else { fatalError("rule broken: \(rule)") }
    return value
}

/// A text for a person has one line without controls, and its length does not grow with the input.
public func expectReadable(_ text: String) {
    expect((1...4_096).contains(text.utf8.count), "what a person reads is short")
    expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "what a person reads is one line")
}
