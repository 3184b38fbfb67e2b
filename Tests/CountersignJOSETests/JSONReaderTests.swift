import CountersignJOSE
import Testing

@Suite("The reader of known shapes")
struct JSONReaderTests {
    private func readA(_ text: String, canonical: Bool) throws(JSONError) -> String {
        var reader = JSONReader(Array(text.utf8), canonical: canonical)
        try reader.beginObject()
        try reader.name("a")
        let value = try reader.string()
        try reader.endObject()
        try reader.end()
        return value
    }

    @Test("V6, V9: every text of json-canonical.json is refused for its reason")
    func canonical() throws {
        for row in try VectorRow.rows("json-canonical.json", members: ["name", "text", "refused"]) {
            let input = try #require(row["text"])
            #expect(code { () throws(JSONError) in try readA(input, canonical: true) } == row["refused"], "\(row.name)")
        }
    }

    @Test("White space and other escapes pass where the canonical form is not asked for")
    func lenient() throws {
        #expect(try readA(" { \"a\" : \"\\u0062\\/\" } \n", canonical: false) == "b/")
        #expect(try readA(#"{"a":"\u001f\n\"\\é"}"#, canonical: true) == "\u{1F}\n\"\\é")
    }

    @Test("Whatever the writer writes, the canonical reader reads")
    func writtenIsRead() throws {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(name: "s", string: "\u{0}\u{1F}\"\\/é😀\u{2028}\u{7F}")
        writer.member(name: "i", integer: .min)
        writer.member(name: "l", strings: ["", "x"])
        writer.member(name: "none", strings: [])
        writer.name("o")
        writer.beginObject()
        writer.endObject()
        writer.name("b")
        writer.bool(true)
        writer.name("end")
        writer.value(.null)
        writer.endObject()
        #expect(
            text(writer.bytes) == #"{"s":"\u0000\u001f\"\\/é😀"# + "\u{2028}\u{7F}"
                + #"","i":-9223372036854775808,"l":["","x"],"none":[],"o":{},"b":true,"end":null}"#)
        var reader = JSONReader(writer.bytes, canonical: true)
        try reader.beginObject()
        #expect(try !reader.takeName("absent"))
        #expect(try reader.takeName("s"))
        #expect(try reader.string() == "\u{0}\u{1F}\"\\/é😀\u{2028}\u{7F}")
        try reader.name("i")
        #expect(try reader.integer() == .min)
        try reader.name("l")
        #expect(try reader.stringArray(max: 2) == ["", "x"])
        try reader.name("none")
        #expect(try reader.stringArray(max: 0) == [])
        try reader.name("o")
        try reader.beginObject()
        #expect(try !reader.takeName("x"))
        try reader.endObject()
        let name = try #require(try reader.nextName())
        #expect(reader.text(name, is: "b") && !reader.text(name, is: "c") && !reader.text(name, is: "bb"))
        #expect(try reader.bool())
        try reader.name("end")
        try reader.null()
        #expect(try reader.nextName() == nil)
        try reader.end()
    }

    @Test("Members in any order, by name; empty and inner arrays")
    func anyOrder() throws {
        var reader = JSONReader(Array(#"xx{"list":[[],[{"n":1}]], "n":false}"#.utf8), from: 2)
        try reader.beginObject()
        while let name = try reader.nextName() {
            if reader.text(name, is: "list") {
                try reader.beginArray()
                #expect(try reader.nextElement())
                try reader.beginArray()
                #expect(try !reader.nextElement())
                #expect(try reader.nextElement())
                _ = try reader.value()
                #expect(try !reader.nextElement())
            } else {
                #expect(try !reader.bool())
            }
        }
        try reader.end()
    }

    @Test("A raw string is where it stands, and says whether it has escapes")
    func rawString() throws {
        var reader = JSONReader(Array(#"["plain","a\n","é"]"#.utf8))
        try reader.beginArray()
        #expect(try reader.nextElement())
        let plain = try reader.rawString()
        #expect(plain.range == 2..<7 && !plain.hasEscapes && plain.isASCII)
        #expect(try reader.nextElement())
        #expect(try reader.rawString().hasEscapes)
        #expect(try reader.nextElement())
        #expect(try !reader.rawString().isASCII)
        #expect(try !reader.nextElement())
        var bad = JSONReader([0x22, 0xFF, 0x22])
        #expect(code { () throws(JSONError) in try bad.rawString() } == "invalidUTF8")
    }

    @Test("A string of every length, with every special byte in every place of a word")
    func everyAlignment() throws {
        for count in 0..<40 {
            for place in 0..<count {
                for (escaped, plain) in [("\\n", "\n"), ("é", "é"), ("\\\\", "\\"), ("z", "z"), ("\\\"", "\"")] {
                    let left = String(repeating: "x", count: place)
                    let right = String(repeating: "y", count: count - place)
                    #expect(try readA("{\"a\":\"\(left)\(escaped)\(right)\"}", canonical: true) == left + plain + right)
                }
            }
        }
    }

    @Test("Limits and types of single values")
    func values() {
        func fails(_ text: String, _ read: (inout JSONReader) throws(JSONError) -> Void) -> String? {
            var reader = JSONReader(Array(text.utf8))
            return code { () throws(JSONError) in try read(&reader) }
        }
        #expect(fails("[\"a\",\"b\"]") { r throws(JSONError) in _ = try r.stringArray(max: 1) } == "tooManyValues")
        #expect(fails("[1]") { r throws(JSONError) in _ = try r.stringArray(max: 1) } == "wrongType")
        #expect(fails("1") { r throws(JSONError) in _ = try r.string() } == "wrongType")
        #expect(fails("\"1\"") { r throws(JSONError) in _ = try r.integer() } == "wrongType")
        #expect(fails("1") { r throws(JSONError) in _ = try r.bool() } == "wrongType")
        #expect(fails("true") { r throws(JSONError) in _ = try r.null() } == "wrongType")
        #expect(fails("trux") { r throws(JSONError) in _ = try r.bool() } == "unexpectedByte")
        #expect(fails("t") { r throws(JSONError) in _ = try r.bool() } == "unexpectedByte")
        #expect(fails("]") { r throws(JSONError) in _ = try r.bool() } == "unexpectedByte")
        #expect(fails("") { r throws(JSONError) in _ = try r.bool() } == "unexpectedEnd")
    }
}
