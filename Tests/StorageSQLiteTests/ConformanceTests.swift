import Storage
import StorageConformance
import StorageSQLite
import Testing

@Suite("SQLite does what every engine must")
struct ConformanceTests {
    @Test("conformance", arguments: Conformance.checks)
    func conforms(_ check: Conformance) async throws {
        let store = try TemporaryStore()
        let database = try await store.make()
        try await check.run(database)
        await database.close()
    }
}
