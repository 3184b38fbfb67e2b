import CountersignKeys
import CountersignVerifier
import Devices
import Notifications
import Sessions
import Signing

extension ServiceModel {
    // MARK: Devices come and go

    /// A device was let in, and its session began.
    mutating func enrolled(_ person: Int, _ key: PrivateKey, _ name: String, _ session: Session, at now: Int64) {
        guard let id = session.device else { return }
        devices.append(Device(person: person, id: id, key: key, name: name, activatedAt: now))
        logins.append(Login(session: session, device: devices.count - 1))
        tellOthers("A device was added", of: devices.count - 1, at: now)
    }

    func logInObjections(_ device: Int) -> Set<Code> {
        devices[device].state == .active && !people[devices[device].person].isLocked ? [] : [.authenticationFailed]
    }

    mutating func loggedIn(_ device: Int, _ session: Session) {
        logins.append(Login(session: session, device: device))
    }

    mutating func loggedOut(_ login: Int) {
        logins[login].isOver = true
        cancelSignings { $0.login == login }
    }

    // MARK: What a person does to their devices

    /// - Parameter names: the new names by device; nil: it is deleted.
    func updateObjections(_ updates: [(device: Int, name: String?)], from login: Int, at now: Int64) -> Set<Code> {
        let person = person(of: login)
        guard isAlive(login, at: now) else { return [.tokenInvalid] }
        guard now >= people[person].coolingUntil else { return [.deviceNotAllowed] }
        var found: Set<Code> = []
        for (device, name) in updates {
            if devices[device].person != person || devices[device].state == .deleted {
                found.insert(.deviceUnknown)
            } else if let name, name == devices[device].name {
                found.insert(.deviceNameSame)
            } else if name == nil, device == logins[login].device {
                found.formUnion([.deviceCurrent, .deviceLast])
            }
        }
        return found
    }

    mutating func updated(_ updates: [(device: Int, name: String?)], from login: Int, at now: Int64) {
        let person = person(of: login)
        people[person].changes = people[person].changes.filter { $0 > now - 60_000 }
        people[person].changes += updates.map { _ in now }
        if people[person].changes.count >= 5 {
            (people[person].changes, people[person].coolingUntil) = ([], now + 60_000)
        }
        // In the order of the list, which is that of their age.
        let byAge = updates.sorted {
            let (one, other) = (devices[$0.device], devices[$1.device])
            return (one.activatedAt, one.id.text) < (other.activatedAt, other.id.text)
        }
        for (device, name) in byAge {
            if let name { devices[device].name = name } else { remove(device, .deleted) }
            let subject = name == nil ? "A device was removed" : "A device was renamed"
            tellOthers(subject, of: device, by: logins[login].device, at: now)
        }
    }

    // MARK: What the operator does

    func operatorObjections(_ device: Int, of person: Int) -> Set<Code> {
        devices[device].person == person && devices[device].state != .deleted ? [] : [.deviceUnknown]
    }

    mutating func operated(_ device: Int, _ event: DeviceState.Event, at now: Int64) {
        let before = devices[device].state
        switch event {
        case .block: remove(device, .blocked)
        case .unblock: devices[device].state = .active
        case .delete: remove(device, .deleted)
        }
        guard before != devices[device].state else { return }
        let subject =
            switch event {
            case .block: "A device was blocked"
            case .unblock: "A device was unblocked"
            case .delete: "A device was removed"
            }
        tellOthers(subject, of: device, at: now)
    }

    mutating func locked(_ person: Int) {
        people[person].isLocked = true
        for device in devices.indices where devices[device].person == person { endSessions(of: device) }
    }

    mutating func unlocked(_ person: Int) {
        (people[person].isLocked, people[person].admitsNone, people[person].wrong) = (false, false, 0)
    }

    private mutating func remove(_ device: Int, _ state: DeviceState) {
        devices[device].state = state
        endSessions(of: device)
    }

    private mutating func endSessions(of device: Int) {
        for login in logins.indices where logins[login].device == device && !logins[login].isOver { loggedOut(login) }
    }

    // MARK: What the others are told

    /// The service tells a person's other devices what happened to one.
    private mutating func tellOthers(_ subject: String, of device: Int, by: Int? = nil, at now: Int64) {
        let person = devices[device].person
        tell(person, subject, devices[device].name, to: activeDevices(of: person).subtracting([by ?? device]), at: now)
    }

    /// Nothing is told to nobody; of one kind no more than twenty wait.
    mutating func tell(_ person: Int, _ subject: String, _ line: String, to sentTo: Set<Int>, at now: Int64) {
        guard !sentTo.isEmpty else { return }
        let alike = questions.indices.filter {
            let other = questions[$0]
            return other.person == person && other.origin == .service && other.matter == .message
                && other.subject == subject && other.state(at: now) == .pending
        }
        let newestFirst = alike.sorted {
            (questions[$0].createdAt, questions[$0].id?.text ?? "") > (
                questions[$1].createdAt, questions[$1].id?.text ?? ""
            )
        }
        for old in newestFirst.dropFirst(19) { close(old, .discarded(at: now), at: now) }
        add(
            Question(
                person: person, origin: .service, matter: .message, subject: subject, line: line, level: nil,
                createdAt: now, end: now + 7 * 24 * Self.hour, sentTo: sentTo))
    }
}
