/// How new devices are let in.
package struct ActivationRules: Sendable, Hashable {
    /// For how long one may wait at each step, in milliseconds (rule O18).
    package var life: Int64
    /// The ways that there are (rules A12 and A33).
    package var methods: [ActivationMethod]

    /// Those rules.
    package init(life: Int64, methods: [ActivationMethod]) {
        self.life = life
        self.methods = methods
    }

    /// Five minutes, and both ways.
    package static let standard = ActivationRules(life: 300_000, methods: ActivationMethod.allCases)
}
