package import CountersignVerifier
package import Signing

/// Whom a relying service asks.
package enum RequestAudience: Sendable, Hashable {
    /// One person, by name: their statement is the result.
    case person(UserName)
    /// So many of these, who may be one; the result is a bundle.
    case several([UserName], required: Int)

    /// The most persons of one request: as many statements as a bundle has.
    package static let maxPersons = QuorumRule.maxPersons

    /// Takes the persons as they came, without the one on whose behalf is asked: nobody approves their own (several persons are asked so
    /// that no single one decides).
    ///
    /// - Parameter required: how many must sign, nil: all of them.
    /// - Throws: `requestTermsMalformed`, with the name of the member.
    package init(_ persons: [UserName], required: Int?, without requester: UserName?) throws(Refusal) {
        guard (1...Self.maxPersons).contains(persons.count), Set(persons).count == persons.count else {
            throw Refusal(.requestTermsMalformed, .member("users"))
        }
        let asked = persons.filter { $0 != requester }
        let required = required ?? asked.count
        guard Quorum(required: required, of: asked.count) != nil else {
            throw Refusal(.requestTermsMalformed, .member("required"))
        }
        self = .several(asked, required: required)
    }

    /// One person, who is not the one on whose behalf is asked.
    package init(_ person: UserName, without requester: UserName?) throws(Refusal) {
        guard person != requester else { throw Refusal(.requestTermsMalformed, .member("requester")) }
        self = .person(person)
    }

    /// Those who are asked.
    package var persons: [UserName] {
        switch self {
        case .person(let user): [user]
        case .several(let users, _): users
        }
    }

    /// How many must sign.
    package var required: Int {
        switch self {
        case .person: 1
        case .several(_, let required): required
        }
    }

    /// The claim of each statement; nil where one person is asked, and no list or group.
    package var quorum: Quorum? {
        switch self {
        case .person: nil
        case .several(let users, let required): Quorum(required: required, of: users.count)
        }
    }
}

/// The name of a group of persons: `[a-z0-9][a-z0-9._-]{0,63}`, one spelling each.
package struct GroupName: Sendable, Hashable {
    /// The name.
    package let text: String

    /// Takes a text that is a group's name already, and nil for any other.
    package init?(_ text: String) {
        guard UserName(text) != nil, !text.utf8.contains(UInt8(ascii: "@")) else { return nil }
        self.text = text
    }
}

/// How long a signing request may live.
package enum RequestLife {
    /// Where whoever asks does not say, in milliseconds.
    package static let standard: Int64 = 300_000
    /// Ten seconds to a day.
    package static let range: ClosedRange<Int64> = 10_000...86_400_000
    /// How often it may be asked for, in seconds, as long as it waits (OpenID CIBA Core section 7.3).
    package static let interval: Int64 = 5
}
