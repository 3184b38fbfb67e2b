import CountersignJOSE
import Glibc
import TestVectors
import Testing

/// What one megabyte of malice may cost. A build without optimisation is some twenty times as slow: there the bound only
/// shows that nothing is quadratic.
@Suite("V15: hostile sizes", .serialized)
struct HostileJSONTests {
    #if DEBUG
        static let bound: Duration = .milliseconds(5_000)
    #else
        static let bound: Duration = .milliseconds(50)
    #endif

    static let texts: [(String, [UInt8])] = {
        let million = 1 << 20
        return [
            ("100,000 arrays", [UInt8](repeating: UInt8(ascii: "["), count: 100_000)),
            ("100,000 objects", Array(String(repeating: "{\"a\":", count: 100_000).utf8)),
            ("a million of arrays", [UInt8](repeating: UInt8(ascii: "["), count: million)),
            ("100,000 members", Array(("{" + (0..<100_000).map { "\"\($0)\":0" }.joined(separator: ",") + "}").utf8)),
            ("one string", [0x22] + [UInt8](repeating: 0x61, count: million - 2) + [0x22]),
            ("an open string", [UInt8](repeating: 0x22, count: 1) + [UInt8](repeating: 0x61, count: million - 1)),
            ("escapes", Array(("\"" + String(repeating: "\\n", count: million / 2 - 1) + "\"").utf8)),
            ("surrogates", Array(("\"" + String(repeating: "\\ud83d\\ude00", count: million / 12 - 1) + "\"").utf8)),
            ("a long number", [UInt8](repeating: 0x31, count: million)),
            ("zeros", Array(("[" + String(repeating: "0,", count: million / 2 - 2) + "0]").utf8)),
            ("objects", Array(("[" + String(repeating: "{},", count: million / 3 - 2) + "0]").utf8)),
            ("white space", [UInt8](repeating: 0x20, count: million)),
            ("quotation marks", [UInt8](repeating: 0x22, count: million)),
            ("backslashes", [0x22] + [UInt8](repeating: 0x5C, count: million - 1)),
            ("1e400 and on", Array(("[" + String(repeating: "1e308,", count: million / 6 - 2) + "1]").utf8)),
        ]
    }()

    @Test("V15: a megabyte is decided quickly", arguments: texts.map(\.0).indices)
    func bounded(index: Int) {
        let (name, bytes) = Self.texts[index]
        for maxValues in [JSON.maxValues, 1 << 20] {
            let duration = processorTime {
                _ = try? JSON(parsing: bytes, maxBytes: 1 << 21, maxValues: maxValues)
            }
            #expect(duration < Self.bound * (maxValues > JSON.maxValues ? 10 : 1), "\(name)")
        }
        let duration = processorTime { _ = try? JWKSet.parse(bytes.span) }
        #expect(duration < Self.bound, "\(name)")
    }

    /// What the thread computed, so that a busy machine does not count.
    private func processorTime(_ body: () -> Void) -> Duration {
        func now() -> Duration {
            var time = timespec()
            _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        let start = now()
        body()
        return now() - start
    }

    @Test("Mutated texts never trap, and what is accepted has one canonical form")
    func mutations() throws {
        var generator = SeededGenerator(seed: 42)
        let seeds = [
            #"{"alg":"ES256","kid":"a","typ":"x"}"#, #"[1,-2.5e-3,0,true,false,null,"é\u00e9\ud83d\ude00\n"]"#,
            #"{"a":{"b":[{"c":[]}]},"d":"","e":9223372036854775807,"f":1e308}"#, "\"\u{7F}\u{2028}😀\"",
        ].map { Array($0.utf8) }
        let tokens = ["{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "d800", "0", "-", "1e", "\u{FEFF}", "null", " "]
            .map { Array($0.utf8) }
        var accepted = 0
        for _ in 0..<20_000 {
            var bytes = seeds[Int.random(in: 0..<seeds.count, using: &generator)]
            for _ in 0...Int.random(in: 0..<3, using: &generator) {
                let place = Int.random(in: 0...bytes.count, using: &generator)
                switch Int.random(in: 0..<5, using: &generator) {
                case 0 where place < bytes.count: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
                case 1 where place < bytes.count: bytes.remove(at: place)
                case 2: bytes.removeSubrange(place...)
                case 3 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                default:
                    bytes.insert(
                        contentsOf: tokens[Int.random(in: 0..<tokens.count, using: &generator)], at: place)
                }
            }
            var reader = JSONReader(bytes, canonical: true)
            let pulled = try? reader.value()
            guard let tree = try? JSON(parsing: bytes, maxBytes: 1_000) else {
                // What no tree is cannot be a whole text for the stricter reader either.
                #expect(pulled == nil || (try? reader.end()) == nil)
                continue
            }
            accepted += 1
            let canonical = tree.canonical()
            #expect(try JSON(parsing: canonical, maxBytes: 10_000).canonical() == canonical)
        }
        #expect(accepted > 1_000)
    }
}
