import CountersignKeys
import Foundation
import TestVectors
import Testing

/// Verification by a table says what EVP says, of every key and every signature.
@Suite("Ed25519 signatures that are checked together")
struct Ed25519TableTests {
    private static let order = BigNumber.order

    private static func random(_ count: Int, _ numbers: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    }

    /// Compares both ways of a key; says how many are right.
    @discardableResult
    private func compare(
        _ key: [UInt8], _ cases: [Ed25519Case], isPoint: Bool? = true, window: Int = 4,
        location: SourceLocation = #_sourceLocation
    ) -> Int {
        let verdicts = verdictsOfEVP(key, cases)
        let table = Ed25519Table(key, window: window)
        if let isPoint { #expect((table != nil) == isPoint, sourceLocation: location) }
        #expect(table?.verdicts(cases) ?? cases.map { _ in false } == verdicts, "key \(key)", sourceLocation: location)
        return verdicts.count { $0 }
    }

    @Test("RFC 8032 section 7.1, with every bit of signature, message and key changed")
    func vectors() throws {
        let vectors = SignatureVector.all.filter { $0.algorithm == .edDSA && $0.publicKey.y == nil }
        #expect(vectors.count == 3)
        for vector in vectors {
            let key = try #require(vector.publicKey.x).bytes
            let good = Ed25519Case(signature: vector.signature.bytes, message: vector.message.bytes)
            var cases = [good]
            for bit in 0..<512 {
                cases.append(good)
                cases[cases.count - 1].signature[bit / 8] ^= 1 << (bit % 8)
            }
            for bit in 0..<(8 * good.message.count) {
                cases.append(good)
                cases[cases.count - 1].message[bit / 8] ^= 1 << (bit % 8)
            }
            let valid = compare(key, cases, window: 8)
            #expect(valid == 1)
        }
    }

    @Test("V12: S at its edges, below, at and above L, with the R that belongs to it")
    func responses() {
        // With a key of small order the R of any S is S·B and one of eight points.
        let key = HandmadeKey(0, plus: EdwardsPoint.smallOrder[1]).bytes
        let edges = Ed25519ScalarTests.edges.enumerated().filter { $0.offset % 16 == 0 }.map(\.element)
        let above: [BigNumber] = [.order, .order + 1, .order + 2, .order + .order, 1 << 253, 1 << 255, 1 << 256 - 1]
        var cases: [Ed25519Case] = []
        for response in edges + above {
            for point in EdwardsPoint.smallOrder {
                let commitment = (response % Self.order * .base + point).bytes
                cases.append(Ed25519Case(signature: commitment + response.bytes(), message: [7]))
            }
        }
        let valid = compare(key, cases)
        #expect(valid > cases.count / 16 && valid < cases.count / 4)
    }

    @Test("V12: S and L more, in a signature that holds")
    func secondResponse() throws {
        let key = HandmadeKey(1234, plus: .identity)
        let good = key.sign([1], nonce: 5678, plus: .identity)
        let more = BigNumber(Array(good.signature[32...])) + Self.order
        let other = Ed25519Case(signature: good.signature[..<32] + more.bytes(), message: [1])
        let valid = compare(key.bytes, [good, other])
        #expect(valid == 1)
    }

    @Test(
        "What is of small order in the key, in R or in both: where the equation with the cofactor says otherwise, too")
    func smallOrder() {
        var numbers = SeededGenerator(seed: 6)
        for secret in [0, BigNumber(Self.random(32, &numbers))] {
            for part in EdwardsPoint.smallOrder {
                let key = HandmadeKey(secret, plus: part)
                var cases: [Ed25519Case] = []
                for point in EdwardsPoint.smallOrder {
                    for nonce in [0, BigNumber(Self.random(32, &numbers))] {
                        cases.append(key.sign(Self.random(5, &numbers), nonce: nonce, plus: point))
                    }
                }
                compare(key.bytes, cases)
                var other = key.bytes
                other[31] ^= 0x80
                compare(other, cases)
            }
        }
    }

    @Test("Keys and commitments in a second spelling")
    func spellings() {
        var valid = 0
        for low in UInt8(0xEC)...0xFF {
            for top in [0x7F, 0xFF] as [UInt8] {
                let key = HandmadeKey([low] + [UInt8](repeating: 0xFF, count: 30) + [top])
                var cases: [Ed25519Case] = []
                for (index, point) in EdwardsPoint.smallOrder.enumerated() {
                    let item = key.sign([UInt8(index)], nonce: 0, plus: point)
                    cases.append(item)
                    // R + p, and the identity with the sign.
                    let spelling = [low] + [UInt8](repeating: 0xFF, count: 30) + [top]
                    cases.append(Ed25519Case(signature: spelling + item.signature[32...], message: item.message))
                    let signed = [1] + [UInt8](repeating: 0, count: 30) + [0x80]
                    cases.append(Ed25519Case(signature: signed + item.signature[32...], message: item.message))
                }
                valid += compare(key.bytes, cases, isPoint: nil)
            }
        }
        // The points of y = p, p + 1 and -1 are of small order: EVP takes some of these.
        #expect(valid > 0)
    }

    @Test("32 bytes that are no point make no table, nor do other lengths; EVP takes no signature of them")
    func noPoint() {
        var numbers = SeededGenerator(seed: 7)
        var counts = (points: 0, others: 0)
        for _ in 0..<40 {
            let key = Self.random(32, &numbers)
            let isPoint = EdwardsReference(key) != nil
            if isPoint { counts.points += 1 } else { counts.others += 1 }
            let signature = Self.random(32, &numbers) + (BigNumber(Self.random(64, &numbers)) % Self.order).bytes()
            let valid = compare(key, [Ed25519Case(signature: signature, message: [])], isPoint: isPoint)
            #expect(valid == 0)
        }
        #expect(counts.points > 5 && counts.others > 5)
        for length in [0, 31, 33, 64] { #expect(Ed25519Table([UInt8](repeating: 1, count: length)) == nil) }
    }

    @Test("Every number of signatures, good and bad side by side, past the end of a block too")
    func places() throws {
        let key = HandmadeKey(99, plus: .identity)
        let table = try #require(Ed25519Table(key.bytes, window: 4))
        let good = (0..<4).map { key.sign([$0], nonce: BigNumber(integerLiteral: UInt64($0) + 2), plus: .identity) }
        for count in [0, 1, 2, 3, 127, 128, 129] {
            let cases = (0..<count).map { index in
                var item = good[index % 4]
                if index % 3 == 0 { item.signature[index % 64] ^= 2 }
                return item
            }
            #expect(table.verdicts(cases) == (0..<count).map { $0 % 3 != 0 })
        }
    }

    @Test("Entries with numbers that are L or more are wrong")
    func entries() throws {
        let table = try #require(Ed25519Table(HandmadeKey(99, plus: .identity).bytes, window: 4))
        let zero = BigNumber(integerLiteral: 0).bytes()
        let identity = EdwardsPoint.identity.bytes
        let numbers: [BigNumber] = [.order, .order + 1, 1 << 256 - 1]
        for number in numbers.map({ $0.bytes() }) {
            // The identity is right for k = 0 and S = 0.
            let entries = zero + identity + zero + number + identity + zero + zero + identity + number
            #expect(table.check(entries) == [true, false, false])
        }
    }

    @Test("Threads share a table")
    func sharing() async throws {
        let key = HandmadeKey(31, plus: .identity)
        let table = try #require(Ed25519Table(key.bytes, window: 4))
        let good = (0..<8).map { key.sign([$0], nonce: BigNumber(integerLiteral: UInt64($0) + 2), plus: .identity) }
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let digest = MessageDigest(.sha512)
                    return (0..<4).allSatisfy { _ in table.verdicts(good, with: digest).allSatisfy { $0 } }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    /// `COUNTERSIGN_DIFFERENTIAL_SECONDS` lets it run for that long, each time with other numbers.
    @Test("Random signatures and their mutants get EVP's verdict")
    func random() throws {
        let seconds = ProcessInfo.processInfo.environment["COUNTERSIGN_DIFFERENTIAL_SECONDS"].flatMap { Double($0) }
        let seed = seconds == nil ? 1 : UInt64.random(in: 0...UInt64.max)
        var numbers = SeededGenerator(seed: seed)
        let end = ContinuousClock.now + .seconds(seconds ?? 0)
        var counts = (valid: 0, all: 0)
        repeat {
            let key = try PrivateKey(generating: .edDSA)
            let signer = key.makeSigner()
            guard case .okp(let bytes) = key.publicKey.components else { return }
            let cases = try (0..<(seconds == nil ? 200 : 3_000)).map { _ in
                let message = Self.random(Int.random(in: 0...200, using: &numbers), &numbers)
                let good = Ed25519Case(signature: try signer.sign(message.span), message: message)
                return mutate(good, &numbers)
            }
            counts.valid += compare(bytes, cases, window: 8)
            counts.all += cases.count
        } while ContinuousClock.now < end
        #expect(counts.valid > 0 && counts.valid < counts.all)
        if seconds != nil { print("\(counts.valid) of \(counts.all) signatures hold, seed \(seed)") }
    }

    /// Half of them stay as they are.
    private func mutate(_ good: Ed25519Case, _ numbers: inout SeededGenerator) -> Ed25519Case {
        var item = good
        switch Int.random(in: 0..<18, using: &numbers) {
        case 0: item.signature[Int.random(in: 0..<64, using: &numbers)] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
        case 1: item.message.append(0)
        case 2: item.signature = Array(good.signature[32...] + good.signature[..<32])
        case 3: item.signature = Self.random(64, &numbers)
        case 4:
            item.signature.replaceSubrange(
                0..<32, with: EdwardsPoint.smallOrder[Int.random(in: 0..<8, using: &numbers)].bytes)
        case 5:
            item.signature.replaceSubrange(
                32..<64, with: (Self.order - BigNumber(Array(good.signature[32...]))).bytes())
        case 6:
            item.signature.replaceSubrange(
                32..<64, with: (Self.order + BigNumber(Array(good.signature[32...]))).bytes())
        case 7:
            guard let point = EdwardsPoint(Array(good.signature[..<32])) else { break }
            let sum = point + EdwardsPoint.smallOrder[Int.random(in: 0..<8, using: &numbers)]
            item.signature.replaceSubrange(0..<32, with: sum.bytes)
        case 8: item.signature[31] ^= 0x80
        default: break
        }
        return item
    }
}
