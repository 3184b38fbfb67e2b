import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Foundation
import Signing
import SigningService
import Storage
import StorageSQLite
import Testing

@Suite("Keys and trust")
struct KeyTests {
    private func verdict(_ result: SignedResult, _ trust: TrustStore, at now: Int64) -> String {
        StatementVerifier(trust: trust).verify(Array(result.statement.utf8), at: now).code
    }

    private func pinned(_ store: TestStore) async throws -> TrustStore {
        let root = try #require(try await store.engine.status().rootKey)
        return try TrustStore(await store.engine.signHistory(), root: root)
    }

    @Test("Published, active, retired, revoked: no way back, one active key at most, public halves stay")
    func life() async throws {
        let store = try await TestStore()
        let engine = store.engine
        let first = try #require(try await engine.status().activeKey)
        let second = try await engine.createKey(.edDSA)
        #expect(second.state == .published)
        try await engine.rotateKeys(to: second.id, algorithm: .es256)
        #expect(try await engine.status().activeKey == second.id)
        let again = try await TestStore.code { _ = try await engine.rotateKeys(to: first, algorithm: .es256) }
        #expect(again == .keyState)
        let retired = try await TestStore.code { _ = try await engine.retireKey(first) }
        #expect(retired == .keyState)
        let unknown = try await TestStore.code { _ = try await engine.retireKey("nothing") }
        #expect(unknown == .keyUnknown)
        try await engine.revokeKey(second.id, as: .superseded)
        let keyless = try await TestStore.code { _ = try await store.sign() }
        #expect(keyless == .noActiveKey)
        let twice = try await TestStore.code { _ = try await engine.revokeKey(second.id, as: .superseded) }
        #expect(twice == .keyState)
        try await engine.revokeKey(second.id, as: .compromised)
        try await engine.rotateKeys(to: nil, algorithm: .es384)
        #expect(try await store.sign().level == 1)
        let keys = try await engine.keys()
        #expect(keys.count == 4)
        #expect(keys.filter { !$0.hasPrivateHalf }.map(\.state).allSatisfy { $0 == .retired || $0 == .revoked })
        let text = try await engine.keySet()
        let set = try JWKSet.parse(text.span)
        #expect(set.keys.count == 2)
        #expect(set.skipped.count == 1, "the compromised one says so")
    }

    @Test("The key history says when each key signed (V19)")
    func history() async throws {
        let store = try await TestStore()
        let engine = store.engine
        let first = try #require(try await engine.status().activeKey)
        let early = try await store.sign()
        store.clock.advance(10_000)
        try await engine.rotateKeys(to: nil, algorithm: .edDSA)
        let late = try await store.sign()
        let now = store.clock.now / 1000
        #expect(try await verdict(early, pinned(store), at: now) == "valid")
        #expect(try await verdict(late, pinned(store), at: now) == "valid")
        try await engine.revokeKey(first, as: .superseded)
        #expect(try await verdict(early, pinned(store), at: now) == "valid")
        try await engine.revokeKey(first, as: .compromised)
        #expect(try await verdict(early, pinned(store), at: now) == "key-compromised")
        let history = try await pinned(store)
        #expect(history.serial == now + 4, "at least the time, and one more each time")
        #expect(verdict(late, history, at: now + 90 * 86_400 - 1) == "valid")
        #expect(verdict(late, history, at: now + 90 * 86_400) == "history-expired")
    }

    @Test("The root key can leave the store; histories are then signed with the file")
    func offlineRoot() async throws {
        let store = try await TestStore()
        let id = try #require(try await store.engine.status().rootKey)
        let root = try await store.engine.privateKey(id)
        try await store.engine.forgetRootKey()
        #expect(try await store.engine.status().holdsRootKey == false)
        let foreign = try await TestStore.code { _ = try await store.engine.signHistory() }
        #expect(foreign == .keyState)
        let other = try PrivateKey(generating: .es256)
        let refused = try await TestStore.code { _ = try await store.engine.signHistory(with: other) }
        #expect(refused == .keyUnknown)
        let trust = try TrustStore(await store.engine.signHistory(with: root), root: id)
        #expect(try await verdict(store.sign(), trust, at: store.clock.now / 1000) == "valid")
        #expect(try await store.events().filter { $0 == "key-exported" }.count == 1)
    }

    @Test(
        "K3: the master key of another store is noticed when the store is opened, before anything is sealed or signed")
    func foreignMasterKey() async throws {
        let store = try await TestStore()
        let other = try await TestStore()
        let key = try Data(contentsOf: URL(filePath: other.path + "/master.key"))
        try key.write(to: URL(filePath: store.path + "/master.key"))
        do {
            _ = try await store.another()
            Issue.record("opened with a foreign key")
        } catch let error as StoreDirectoryError {
            #expect(error.code == .wrongMasterKey)
        }
    }

    @Test("Rows cannot be exchanged: a sealed key opens under its own id only, and the attempt is given back")
    func sealedRows() async throws {
        let store = try await TestStore()
        try await store.engine.createKey(.es256)
        let database = try await SQLiteDatabase.open(at: store.path + "/store.sqlite", time: store.clock.now)
        _ = try await database.write { connection in
            try connection.run(
                "UPDATE keys SET sealed = (SELECT sealed FROM keys WHERE state = 'published' AND purpose = 'sign') "
                    + "WHERE state = 'active'")
        }
        await database.close()
        let challenge = try await store.challenge()
        do {
            _ = try await store.engine.answer(challenge, with: TestStore.secret(TestStore.password))
            Issue.record("signed with a foreign key")
        } catch let error as StorageError {
            #expect(error.code == .corrupt)
        }
        #expect(try await store.engine.status().statements == 0)
        try await store.engine.rotateKeys(to: nil, algorithm: .es256)
        #expect(try await store.sign().level == 1)
    }
}
