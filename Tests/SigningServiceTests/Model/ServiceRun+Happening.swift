import CountersignKeys
import CountersignVerifier
import Devices
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import Testing

extension ServiceRun {
    /// Something happens, and what it was about is compared.
    func happen() async throws {
        switch number(isBetween ? 60 : 100) {
        case 0..<6: try await notify()
        case 6..<14: try await answer()
        case 14..<26: try await answer { if case .activation = $0 { true } else { false } }
        case 26..<30: try await dismiss()
        case 30..<34: try await withdraw()
        case 34..<39: try await askForSignatures()
        case 39..<42: try await cancelRequest()
        case 42..<46: try await update()
        case 46..<50: try await operate()
        case 50..<51: try await lock()
        case 51..<53: try await logOut()
        case 53..<55: try await giveUp()
        case 55..<57: try await fallBack()
        case 57..<60: try await resetSigning()
        // Not between two looks at a password, of which somebody has only a few at once; nor what lasts.
        case 60..<62: try await lookBack()
        case 62..<66: try await logIn()
        case 66..<72: try await begin()
        case 72..<79: try await verify()
        case 79..<87: try await finish()
        case 87..<88: try await enrol()
        case 88..<91: try await unlock()
        case 91..<92: try await restart()
        case 92..<93: try await setBack()
        default: try await start()
        }
        try await compare()
        try await sign()
        try await compare()
    }

    // MARK: Devices

    private func login(_ fits: (Int) -> Bool = { _ in true }) async throws -> Int? {
        let now = try await now()
        return pick(model.logins.indices) { model.isAlive($0, at: now) && fits($0) }
    }

    private func logIn() async throws {
        let now = try await now()
        let out = pick(model.devices.indices) { device in
            model.devices[device].state == .active
                && !model.logins.indices.contains {
                    // Not too long ago for a signature.
                    model.logins[$0].device == device && model.isAlive($0, at: now)
                        && model.logins[$0].session.authTime > now - 11 * ServiceModel.hour
                }
        }
        guard let device = out ?? model.devices.indices.randomElement(using: &random) else { return }
        tell("\(model.devices[device].name) logs in")
        let (key, name) = (model.devices[device].key, model.people[model.devices[device].person].name.text)
        let engine = engine()
        let result = try await ask { try await self.store.logIn(key, name, engine: engine) }
        guard let grant = try value(result, unless: model.logInObjections(device)) else { return }
        model.loggedIn(device, grant.session)
    }

    private func logOut() async throws {
        var login = focus?.login
        if login == nil { login = try await self.login() }
        guard let login, !model.logins[login].isOver else { return }
        let now = try await now()
        tell("\(name(login)) logs out")
        let session = model.logins[login].session
        let engine = engine()
        let result = try await ask { try await engine.endSession(session.id, of: session.owner) }
        guard try value(result, unless: model.isAlive(login, at: now) ? [] : [.sessionUnknown]) != nil else { return }
        model.loggedOut(login)
    }

    private func update() async throws {
        guard let login = try await login() else { return }
        var updates: [(device: Int, name: String?)] = []
        for _ in 0...number(2) {
            let device = number(model.devices.count)
            guard !updates.contains(where: { $0.device == device }) else { continue }
            let known = model.devices[device]
            let isOwn = known.person == model.person(of: login) && known.state != .deleted
            guard isOwn || chance(1, of: 10) else { continue }
            let name = chance(1, of: 8) ? known.name : "device \(seed) \(step) \(updates.count)"
            updates.append((device, chance(1, of: 5) ? nil : name))
        }
        guard !updates.isEmpty else { return }
        tell("\(name(login)) updates \(updates.map { (model.devices[$0.device].name, $0.name ?? "deleted") })")
        let changes = try updates.map { update in
            try DeviceUpdate(
                device: model.devices[update.device].id, operation: update.name == nil ? "delete" : "rename",
                name: update.name)
        }
        let (session, engine, now) = (model.logins[login].session, engine(), try await now())
        let result = try await ask { try await engine.updateDevices(changes, as: session) }
        let objections = model.updateObjections(updates, from: login, at: now)
        guard try value(result, unless: objections) != nil else { return }
        model.updated(updates, from: login, at: now)
    }

    private func operate() async throws {
        let event: DeviceState.Event = chance(1, of: 10) ? .delete : chance(1, of: 2) ? .block : .unblock
        let blocked = pick(model.devices.indices) { (model.devices[$0].state == .blocked) == (event == .unblock) }
        guard let device = focus?.device ?? blocked else { return }
        let person = chance(1, of: 15) ? number(model.people.count) : model.devices[device].person
        tell("the operator lets \(event) happen to \(model.devices[device].name)")
        let (id, user, engine) = (model.devices[device].id, model.people[person].name, engine())
        let now = try await now()
        let result = try await ask {
            switch event {
            case .block: try await engine.block(id, of: user)
            case .unblock: try await engine.unblock(id, of: user)
            case .delete: try await engine.delete(id, of: user)
            }
        }
        guard try value(result, unless: model.operatorObjections(device, of: person)) != nil else { return }
        model.operated(device, event, at: now)
    }

    private func lock() async throws {
        let person = focus?.person ?? number(model.people.count)
        tell("\(Self.people[person]) is locked")
        try await engine().lock(model.people[person].name)
        model.locked(person)
    }

    private func unlock() async throws {
        guard
            let person = model.people.indices.filter({ model.people[$0].isLocked || model.people[$0].admitsNone })
                .randomElement(using: &random)
        else { return }
        tell("\(Self.people[person]) is unlocked")
        try await engine().unlock(model.people[person].name)
        model.unlocked(person)
    }

    func name(_ login: Int) -> String { model.devices[model.logins[login].device].name }
}
