import CountersignVerifier
import Foundation
import Signing
import SigningService
import Storage
import Testing

@Suite("The store's directory")
struct DirectoryTests {
    private func code(_ body: () async throws -> Void) async -> StoreDirectoryError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? StoreDirectoryError)?.code
        }
    }

    @Test("K1: made 0700 and 0600; loose modes and links are refused")
    func modes() async throws {
        let store = try await TestStore()
        let manager = FileManager.default
        let directory = try StoreDirectory(existing: store.path)
        func mode(_ path: String) throws -> Int? {
            try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(store.path) == 0o700)
        for name in ["master.key", "store.sqlite"] { #expect(try mode("\(store.path)/\(name)") == 0o600) }
        for (path, loose, tight) in [
            (store.path, 0o750, 0o700), ("\(store.path)/master.key", 0o640, 0o600),
            ("\(store.path)/store.sqlite", 0o644, 0o600),
        ] {
            try manager.setAttributes([.posixPermissions: loose], ofItemAtPath: path)
            let found = await code {
                _ = try StoreDirectory(existing: store.path)
                _ = try directory.masterKey()
            }
            #expect(found == .wrongMode, "\(path)")
            try manager.setAttributes([.posixPermissions: tight], ofItemAtPath: path)
        }
        try manager.moveItem(atPath: "\(store.path)/master.key", toPath: "\(store.path)/elsewhere")
        let found1 = await code { _ = try directory.masterKey() }
        #expect(found1 == .wrongMasterKey)
        try manager.createSymbolicLink(atPath: "\(store.path)/master.key", withDestinationPath: "elsewhere")
        let found2 = await code { _ = try directory.masterKey() }
        #expect(found2 == .symbolicLink)
    }

    @Test("What is no store is refused and left as it was; a store is never overwritten")
    func refused() async throws {
        let store = try await TestStore()
        let found3 = await code { _ = try StoreDirectory(existing: store.path + "/nowhere") }
        #expect(found3 == .noStore)
        let found4 = await code { try await StoreDirectory.create(at: store.path) { _ in } }
        #expect(found4 == .alreadyThere)
        #expect(try await store.sign().level == 1)
        let empty = store.path + "/empty"
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
        let found5 = await code { _ = try StoreDirectory(existing: empty) }
        #expect(found5 == .noStore)
    }

    @Test("A store that could not be made leaves nothing behind")
    func nothingHalfMade() async throws {
        struct Stop: Error {}
        let path = NSTemporaryDirectory() + "countersign-tests-" + UUID().uuidString
        do {
            try await StoreDirectory.create(at: path) { _ in throw Stop() }
            Issue.record("made a store")
        } catch is Stop {}
        let name = URL(filePath: path).lastPathComponent
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory()).allSatisfy {
                !$0.hasPrefix(name)
            })
    }

    @Test("R6: a backup is a store; what was open in it is closed, and no id comes twice")
    func backup() async throws {
        let store = try await TestStore()
        let directory = try StoreDirectory(existing: store.path)
        let before = try await store.sign()
        let open = try await store.challenge()
        let path = store.path + "-backup"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await store.engine.backUp(directory, to: path)
        let after = try await store.sign()
        let restored = try await TestStore.open(StoreDirectory(existing: path), store.clock, store.hasher)
        try await restored.beginRestored()
        #expect(try await restored.statements(StatementRow.Filter(), Page.first).map(\.jti) == [before.signatureID])
        let late = try await TestStore.refusal {
            try await restored.answer(open, with: TestStore.secret(TestStore.password))
        }
        #expect(late?.code == .cancelled)
        guard
            case .signed(let again) = try await restored.answer(
                store.challenge(engine: restored), with: TestStore.secret(TestStore.password))
        else {
            Issue.record("the restored store does not sign")
            return
        }
        #expect(Set([before, after, again].map(\.signatureID)).count == 3)
        await restored.close()
    }
}
