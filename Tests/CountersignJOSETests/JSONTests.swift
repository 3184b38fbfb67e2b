import CountersignJOSE
import Testing

@Suite("RFC 8259, strictly")
struct JSONTests {
    static let rows = Result {
        try VectorRow.rows("json.json", members: ["name", "rule", "text", "hex", "refused", "canonical"])
    }

    @Test("V6, V15: every text of json.json is refused for its reason, or has its canonical form")
    func vectors() throws {
        for row in try Self.rows.get() {
            let bytes = try row.bytes(or: "text")
            if let refused = row["refused"] {
                let found = code { () throws(JSONError) in try JSON(parsing: bytes, maxBytes: 1 << 20) }
                #expect(found == refused, "\(row.name)")
            } else {
                let json = try JSON(parsing: bytes, maxBytes: 1 << 20)
                #expect(text(json.canonical()) == row["canonical"], "\(row.name)")
            }
        }
    }

    @Test("V6: every cut of a text is refused")
    func truncation() throws {
        let whole = Array(#"{"a":[1,-2.5e3,"x\u00e9\n",{"b":null}],"é":true}"#.utf8)
        _ = try JSON(parsing: whole, maxBytes: 100)
        for count in 0..<whole.count {
            #expect(throws: JSONError.self) { try JSON(parsing: Array(whole[..<count]), maxBytes: 100) }
        }
    }

    @Test("The byte limit holds for arrays and spans")
    func byteLimit() throws {
        let bytes = Array("[1,2]".utf8)
        _ = try JSON(parsing: bytes, maxBytes: 5)
        _ = try JSON(parsing: bytes.span, maxBytes: 5)
        #expect(code { () throws(JSONError) in try JSON(parsing: bytes, maxBytes: 4) } == "tooManyBytes")
        #expect(code { () throws(JSONError) in try JSON(parsing: bytes.span, maxBytes: 4) } == "tooManyBytes")
    }

    @Test("V15: no more values than allowed, which bounds the memory")
    func valueLimit() throws {
        let bytes = Array("[1,{\"a\":2},[]]".utf8)
        _ = try JSON(parsing: bytes, maxBytes: 100, maxValues: 5)
        let refused = code { () throws(JSONError) in try JSON(parsing: bytes, maxBytes: 100, maxValues: 4) }
        #expect(refused == "tooManyValues")
        let many = Array(("[" + String(repeating: "0,", count: JSON.maxValues) + "0]").utf8)
        #expect(code { () throws(JSONError) in try JSON(parsing: many, maxBytes: 1 << 20) } == "tooManyValues")
    }

    @Test("The offset of an error is where it is")
    func offsets() {
        func offset(_ text: String) -> Int? {
            do throws(JSONError) {
                _ = try JSON(parsing: Array(text.utf8), maxBytes: 100)
                return nil
            } catch {
                return error.offset
            }
        }
        #expect(offset(#"{"a":1,"a":2}"#) == 7)
        #expect(offset(#"{"a":01}"#) == 5)
        #expect(offset("[1,2") == 4)
        #expect(offset("[1] x") == 4)
        #expect(offset("\"a\u{1}\"") == 2)
    }

    @Test("Each reason has its own text")
    func texts() {
        #expect(Set(JSONError.Code.allCases.map(\.text)).count == JSONError.Code.allCases.count)
    }

    @Test(
        "V15: integers are exact or none",
        arguments: [
            ("0", 0), ("-1", -1), ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("-0", nil), ("1.0", nil), ("1e3", nil),
            ("1E400", nil), ("100000000000000000000", nil),
        ] as [(String, Int64?)])
    func integers(spelling: String, value: Int64?) throws {
        var reader = JSONReader(Array(spelling.utf8))
        if let value {
            #expect(try reader.integer() == value)
            try reader.end()
        } else {
            #expect(throws: JSONError.self) { try reader.integer() }
        }
        guard case .number(let number)? = try? JSON(parsing: Array(spelling.utf8), maxBytes: 100) else { return }
        #expect(number.int64 == value)
    }

    @Test("An object finds, replaces and removes members by exact UTF-8")
    func members() throws {
        var object = JSONObject()
        for index in 0..<40 { object["m\(index)"] = .number(JSONNumber(Int64(index))) }
        object["e\u{301}"] = .null
        #expect(object["é"] == nil)
        #expect(object["e\u{301}"] != nil)
        object["m3"] = .string("three")
        #expect(object.members.count == 41)
        #expect(object["m3"]?.string == "three")
        object["m3"] = nil
        #expect(object["m3"] == nil)
        object["m3"] = .null
        #expect(object.members.last?.name == "m3")
    }
}
