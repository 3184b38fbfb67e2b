package import CountersignVerifier

/// What a person can answer a challenge with.
package enum EvidenceKind: String, Sendable, Hashable, CaseIterable {
    /// A biometric that the device compares.
    case biometric
    /// The device's passcode.
    case passcode
    /// The password.
    case password
    /// A biometric that an identity verification server compares.
    case idv
}

/// How a cell of the matrix authenticates.
package enum Authentication: Sendable, Hashable {
    /// Not at all (rule S06).
    case none
    /// With the first that the device has: biometric, passcode, password (rule S07).
    case device
    /// With identity verification; never falls back (rules S10, S46).
    case idv

    /// The kinds of evidence in the order in which they are preferred.
    package var preference: [EvidenceKind] {
        switch self {
        case .none: []
        case .device: [.biometric, .passcode, .password]
        case .idv: [.idv]
        }
    }

    /// The kind to ask for, where there is one among those that the asker has.
    package func first(of available: Set<EvidenceKind>) -> EvidenceKind? {
        preference.first(where: available.contains)
    }
}

/// Level x type: what may be asked for (rules S04-S10, O03).
package enum Matrix {
    /// A cell that exists.
    package struct Cell: Sendable, Hashable {
        /// The level, 0, 1 or 4.
        package let level: AuthLevel
        /// The type, 0 or 1.
        package let type: AuthenticatorType
        /// How its cell authenticates.
        package let authentication: Authentication
    }

    /// The cell of a pair of numbers as a client sends them.
    ///
    /// - Throws: 214 for every pair but (0,0), (1,0) and (4,1).
    package static func cell(level: Int, type: Int) throws(Refusal) -> Cell {
        switch (level, type) {
        case (0, 0): Cell(level: .none, type: .none, authentication: .none)
        case (1, 0): Cell(level: .one, type: .none, authentication: .device)
        case (4, 1): Cell(level: .four, type: .idvServerBiometric, authentication: .idv)
        default: throw Refusal(.methodNotSupported, .pair(level: level, type: type))
        }
    }
}
