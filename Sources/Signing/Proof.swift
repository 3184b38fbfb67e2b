package import CountersignVerifier

/// Evidence that was checked and found right: what a statement says of the authentication (`amr`, `auth_time`). It can
/// only be built from what really happened (attack S8).
package struct Proof: Sendable, Hashable {
    /// The kind of evidence.
    package let kind: EvidenceKind
    /// What it proved, without repetition.
    package let methods: [AuthenticationMethod]
    /// When it was checked, in milliseconds since 1970.
    package let time: Int64

    /// A right password: `["pwd"]`.
    package static func password(at time: Int64) -> Proof {
        Proof(kind: .password, checked: [.pwd], time: time)
    }

    /// Evidence of any kind, with the methods that its check found. Nil where they do not go together: a passcode
    /// without `pin`, IDV without `idv` or `idv-test`, `pwd` or `idv` from anything else.
    package init?(_ kind: EvidenceKind, methods: [AuthenticationMethod], at time: Int64) {
        let set = Set(methods)
        guard set.count == methods.count else { return nil }
        let notOfDevices: Set<AuthenticationMethod> = [.pwd, .idv, .idvTest]
        let goTogether =
            switch kind {
            case .password: methods == [.pwd]
            case .passcode: set.contains(.pin) && set.isDisjoint(with: notOfDevices)
            case .biometric: !set.isDisjoint(with: [.fpt, .face, .user]) && set.isDisjoint(with: notOfDevices)
            case .idv: set.contains(.idv) != set.contains(.idvTest) && !set.contains(.pwd)
            }
        guard goTogether else { return nil }
        self.init(kind: kind, checked: methods, time: time)
    }

    private init(kind: EvidenceKind, checked methods: [AuthenticationMethod], time: Int64) {
        self.kind = kind
        self.methods = methods
        self.time = time
    }
}
