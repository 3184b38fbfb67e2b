import CountersignVerifier
import Notifications
import Signing
import Testing

@Suite("How lists are asked for")
struct QueryTests {
    private func code(_ body: () throws -> Void) -> Refusal.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? Refusal)?.code }
    }

    @Test(
        "H05, H06, O28: a date is a whole day of UTC",
        arguments: [
            ("1970-01-01", 0), ("1970-01-02", 86_400_000), ("1969-12-31", -86_400_000), ("2000-02-29", 951_782_400_000),
            ("2026-01-01", 1_767_225_600_000), ("2100-03-01", 4_107_542_400_000), ("0001-01-01", -62_135_596_800_000),
            ("9999-12-31", 253_402_214_400_000),
        ] as [(String, Int64)])
    func dates(text: String, start: Int64) throws {
        let day = try CalendarDay(text)
        #expect(day.start == start && day.end == start + 86_400_000)
        #expect(UTCTime.text(day.start).hasPrefix(text) || text.hasPrefix("0"), "one calendar")
    }

    @Test(
        "O29, attack N4: what is no date is refused",
        arguments: [
            "", "2026", "2026-1-1", "2026-01-1", "26-01-01", "2026-13-01", "2026-00-01", "2026-01-00", "2026-01-32",
            "2026-02-29", "1900-02-29", "2026-04-31", "0000-01-01", "2026/01/01", "01-01-2026", "2026-01-01T00:00:00Z",
            " 2026-01-01", "2026-01-01 ", "+026-01-01", "-026-01-01", "２０２６-01-01", "2026-01-0\u{0661}",
            "2026-01-01\u{0}",
        ])
    func noDates(text: String) {
        #expect(code { _ = try CalendarDay(text) } == .dateMalformed)
    }

    @Test("A18, O28: both ends are included, an empty one is no limit")
    func periods() throws {
        let all = try Period()
        #expect(all.contains(.min) && all.contains(.max))
        let day = try Period(from: "1970-01-02", to: "1970-01-02")
        #expect([86_399_999, 86_400_000, 172_799_999, 172_800_000].map(day.contains) == [false, true, true, false])
        let none = try Period(from: "1970-01-03", to: "1970-01-02")
        #expect(![86_400_000, 172_800_000].contains(where: none.contains))
    }

    @Test("A15-A17, H01-H03, O29, G11, attack N4: from 1, and 0 for all, in 32 bits")
    func ranges() throws {
        let limit = Int(Int32.max)
        for start in [0, -1, .min, limit + 1, .max] {
            #expect(code { _ = try RecordRange(startIndex: start, count: 10) } == .startIndex)
        }
        for count in [-1, .min, limit + 1, .max] {
            #expect(code { _ = try RecordRange(startIndex: 1, count: count) } == .recordCount)
        }
        #expect(try RecordRange(startIndex: limit, count: 0).count(limit: 1000) == 1000)
        #expect(try RecordRange(startIndex: 1, count: 10).count(limit: 1000) == 10)
        #expect(try RecordRange(startIndex: 1, count: limit).count(limit: 1000) == 1000)
    }

    private func filter(
        status: String = "", action: String = "", keyword: String = "", device: String = "", from: String = "",
        to: String = "", enterprise: String = ""
    ) throws -> HistoryFilter {
        try HistoryFilter(
            status: status, action: action, keyword: keyword, device: device, from: from, to: to,
            enterprise: enterprise)
    }

    @Test("H04-H10: an empty filter is none")
    func empty() throws {
        var expected = HistoryFilter()
        expected.period = try Period()
        #expect(try filter() == expected)
    }

    @Test("H07, H11, O26, O34: the four statuses in their one spelling; a pending one is not in the history")
    func statuses() throws {
        for status in ["UPDATED", "EXPIRED", "DISCARDED", "DISMISSED"] {
            #expect(try filter(status: status).status?.rawValue == status)
        }
        for status in ["PENDING", "updated", "ACCEPTED", " ", "UPDATED "] {
            #expect(code { _ = try filter(status: status) } == .memberValue)
        }
    }

    @Test("H08-H10: the others are taken as they are; a device is an id")
    func others() throws {
        let id = try Example.uuid(5)
        let found = try filter(
            action: "NONE", keyword: "100%", device: id.text, from: "2026-01-01", to: "2026-01-31", enterprise: "acme")
        #expect(found.action == "NONE" && found.keyword == "100%" && found.device == id && found.enterprise == "acme")
        #expect(found.period?.contains(1_767_225_600_000) == true)
        #expect(code { _ = try filter(device: id.text.uppercased().replacing("0", with: "A")) } == .memberValue)
        #expect(code { _ = try filter(from: "yesterday") } == .dateMalformed)
        #expect(code { _ = try filter(to: "2026-02-30") } == .dateMalformed)
    }
}
