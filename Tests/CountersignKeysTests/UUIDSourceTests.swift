import CountersignKeys
import Testing

@Suite("UUIDs in runs")
struct UUIDSourceTests {
    @Test("K7: a UUID does not come twice, and is a version 4 in lower case")
    func forms() throws {
        let source = UUIDSource()
        var seen = Set<String>()
        for _ in 0..<100_000 {
            let uuid = try source.next()
            #expect(uuid.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
            seen.insert(uuid)
        }
        #expect(seen.count == 100_000)
    }

    @Test("Those of a run begin alike, and no two runs do")
    func runs() throws {
        let source = UUIDSource()
        let beginnings = try (0..<1_280).map { _ in try source.next().prefix(8) }
        let changes = zip(beginnings, beginnings.dropFirst()).count { $0 != $1 }
        #expect(Set(beginnings).count == 10)
        #expect(changes == 9)
    }

    @Test("K7: behind the common bits every bit is as often set as not")
    func bits() throws {
        let source = UUIDSource()
        var counts = [Int](repeating: 0, count: 128)
        for _ in 0..<12_800 {
            let digits = try source.next().filter { $0 != "-" }.compactMap(\.hexDigitValue)
            for (place, digit) in digits.enumerated() {
                for bit in 0..<4 where digit >> (3 - bit) & 1 == 1 { counts[4 * place + bit] += 1 }
            }
        }
        // Four bits are the version, two the variant; the first 32 are of a hundred runs only.
        let free = counts.indices.filter { $0 >= 32 && !(48..<52).contains($0) && !(64..<66).contains($0) }
        // Six deviations of a fair coin: 12,800 tosses have one of 57.
        for place in free { #expect(abs(counts[place] - 6_400) < 340, "bit \(place)") }
    }
}
