import CountersignKeys
import Foundation
import TestVectors
import Testing

/// The second way to verify must say what the first one says: FIPS 186-5 section 6.4.2 by tables, beside OpenSSL's EVP.
@Suite("Signatures that are checked together")
struct SignatureBatchTests {
    /// What the batches of one key say, and what EVP says of each signature alone.
    private struct Comparison {
        let verifier: SignatureVerifier
        let table: SignatureTable
        let batch: SignatureBatch
        private var alone: [Bool] = []

        init(_ key: PublicKey, _ batch: SignatureBatch = SignatureBatch()) throws {
            verifier = key.makeVerifier()
            table = try #require(SignatureTable(key))
            self.batch = batch
        }

        /// Adds a signature; says what EVP says of it.
        mutating func add(_ signature: [UInt8], over message: [UInt8]) -> Bool {
            let isValid = verifier.isValid(signature.span, for: message.span)
            if batch.append(signature.span, for: message.span, with: table) {
                alone.append(isValid)
            } else {
                #expect(!isValid)
            }
            return isValid
        }

        /// Compares what was added; says how many were right.
        mutating func settle() -> Int {
            #expect(batch.check() == alone)
            let valid = alone.count { $0 }
            batch.removeAll()
            alone.removeAll(keepingCapacity: true)
            return valid
        }
    }

    @Test("V10: edges of the arithmetic: small multiples, doublings, infinity, x above the order, ranges of r and s")
    func edges() throws {
        #expect(EdgeVector.all.count == 200)
        let batch = SignatureBatch()
        for vector in EdgeVector.all {
            let key = try PublicKey(.ec(x: vector.x.bytes, y: vector.y.bytes), algorithm: .es256)
            var comparison = try Comparison(key, batch)
            let isValid = comparison.add(vector.signature.bytes, over: vector.message.bytes)
            #expect(isValid == vector.isValid, "\(vector.name)")
            let count = comparison.settle()
            #expect(count == (vector.isValid ? 1 : 0), "\(vector.name)")
        }
    }

    @Test("The same signature at each place of a batch of every size up to a few, between good and bad ones")
    func places() throws {
        let key = try PrivateKey(generating: .es256)
        var comparison = try Comparison(key.publicKey)
        let good = try (0..<8).map { ([UInt8($0)], try key.signature(of: [UInt8($0)])) }
        for size in 0...8 {
            for pattern in 0..<(1 << size) {
                for place in 0..<size {
                    let (message, signature) = good[place]
                    _ = comparison.add(signature, over: pattern >> place & 1 == 1 ? message : message + [0])
                }
                let count = comparison.settle()
                #expect(count == pattern.nonzeroBitCount)
            }
        }
    }

    @Test("More than a batch at once, and one more after it was emptied")
    func overfull() throws {
        let key = try PrivateKey(generating: .es256)
        var comparison = try Comparison(key.publicKey)
        for count in [SignatureBatch.capacity - 1, SignatureBatch.capacity, 2 * SignatureBatch.capacity + 1, 1] {
            for index in 0..<count {
                let message = [UInt8(index & 0xFF), UInt8(index >> 8)]
                var signature = try key.signature(of: message)
                if index % 3 == 0 { signature[index % 64] ^= 1 }
                _ = comparison.add(signature, over: message)
            }
            let valid = comparison.settle()
            #expect(valid == count - (count + 2) / 3)
        }
    }

    @Test("A signature of another length is wrong before anything is computed")
    func lengths() throws {
        let key = try PrivateKey(generating: .es256)
        var comparison = try Comparison(key.publicKey)
        let good = try key.signature(of: [1])
        for signature in [[], Array(good.dropLast()), good + [0], Array(good.dropFirst()), good + good] {
            let isValid = comparison.add(signature, over: [1])
            #expect(!isValid)
        }
        #expect(comparison.batch.count == 0)
    }

    @Test("Every bit of a signature and of its message counts")
    func bits() throws {
        let key = try PrivateKey(generating: .es256)
        let message = Array("countersign".utf8)
        let signature = try key.signature(of: message)
        var comparison = try Comparison(key.publicKey)
        for bit in 0..<(8 * signature.count) {
            var other = signature
            other[bit / 8] ^= 1 << (bit % 8)
            _ = comparison.add(other, over: message)
        }
        for bit in 0..<(8 * message.count) {
            var other = message
            other[bit / 8] ^= 1 << (bit % 8)
            _ = comparison.add(signature, over: other)
        }
        let valid = comparison.settle()
        #expect(valid == 0)
    }

    @Test("Keys of both algorithms in one batch, in any order, get EVP's verdicts at their places")
    func mixed() throws {
        var numbers = SeededGenerator(seed: 7)
        let keys = try (0..<9).map { try PrivateKey(generating: $0 % 3 == 2 ? .edDSA : .es256) }
        let tables = try keys.map { try #require(SignatureTable($0.publicKey)) }
        let verifiers = keys.map { $0.publicKey.makeVerifier() }
        let batch = SignatureBatch()
        for count in [1, 2, 60, SignatureBatch.capacity] {
            var alone: [Bool] = []
            for index in 0..<count {
                // One key signed half of them, one of four is given for another's.
                let signer = Bool.random(using: &numbers) ? 0 : Int.random(in: 0..<9, using: &numbers)
                let other = Int.random(in: 0..<36, using: &numbers)
                let named = other < 9 ? other : signer
                let message = [UInt8(index & 0xFF), UInt8(index >> 8)]
                let signature = try keys[signer].signature(of: message)
                let isTaken = batch.append(signature.span, for: message.span, with: tables[named])
                #expect(isTaken)
                alone.append(verifiers[named].isValid(signature.span, for: message.span))
            }
            #expect(batch.check() == alone)
            batch.removeAll()
        }
    }

    @Test("Threads that share tables do not disturb each other")
    func sharing() async throws {
        let keys = try [PrivateKey(generating: .es256), PrivateKey(generating: .es256)]
        let tables = try keys.map { try #require(SignatureTable($0.publicKey)) }
        let signed = try keys.map { key in try (0..<40).map { ([UInt8($0)], try key.signature(of: [UInt8($0)])) } }
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let batch = SignatureBatch()
                    return (0..<6).allSatisfy { round in
                        for (place, table) in tables.enumerated() {
                            // In odd rounds those of the other key, which are all wrong.
                            for (message, signature) in signed[(place + round) % 2] {
                                _ = batch.append(signature.span, for: message.span, with: table)
                            }
                        }
                        defer { batch.removeAll() }
                        return batch.check() == Array(repeating: round % 2 == 0, count: 80)
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test("Only algorithms that gain by it have tables", arguments: KeyAlgorithm.allCases)
    func algorithms(_ algorithm: KeyAlgorithm) throws {
        let key = try PrivateKey(generating: algorithm, rsaBits: 2048).publicKey
        #expect((SignatureTable(key) != nil) == (SignatureTable.worth(for: algorithm) != nil))
    }

    /// `COUNTERSIGN_DIFFERENTIAL_SECONDS` lets it run for that long, each time with other numbers.
    @Test("Random signatures and their mutants get EVP's verdict")
    func random() throws {
        let seconds = ProcessInfo.processInfo.environment["COUNTERSIGN_DIFFERENTIAL_SECONDS"].flatMap { Double($0) }
        let seed = seconds == nil ? 1 : UInt64.random(in: 0...UInt64.max)
        var numbers = SeededGenerator(seed: seed)
        let end = ContinuousClock.now + .seconds(seconds ?? 0)
        var counts = (valid: 0, wrong: 0)
        repeat {
            let key = try PrivateKey(generating: .es256)
            var comparison = try Comparison(key.publicKey)
            for _ in 0..<16 {
                for _ in 0..<SignatureBatch.capacity {
                    let message = (0..<Int.random(in: 0...40, using: &numbers)).map { _ in
                        UInt8.random(in: 0...255, using: &numbers)
                    }
                    let signature = try key.signature(of: message)
                    let isValid = comparison.add(mutate(signature, &numbers), over: message)
                    if isValid { counts.valid += 1 } else { counts.wrong += 1 }
                }
                _ = comparison.settle()
            }
        } while ContinuousClock.now < end
        #expect(counts.valid > 0 && counts.wrong > 0)
        if seconds != nil { print("\(counts.valid) valid and \(counts.wrong) wrong signatures, seed \(seed)") }
    }

    /// Three of four stay as they are.
    private func mutate(_ signature: [UInt8], _ numbers: inout SeededGenerator) -> [UInt8] {
        var other = signature
        switch Int.random(in: 0..<32, using: &numbers) {
        case 0: other[Int.random(in: 0..<64, using: &numbers)] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
        case 1: other.swapAt(Int.random(in: 0..<64, using: &numbers), Int.random(in: 0..<64, using: &numbers))
        case 2: other = Array(signature[32...] + signature[..<32])
        case 3: other.replaceSubrange(0..<32, with: repeatElement(0, count: 32))
        case 4: other.replaceSubrange(32..<64, with: repeatElement(0, count: 32))
        case 5: other.replaceSubrange(0..<32, with: repeatElement(0xFF, count: 32))
        case 6: other.replaceSubrange(32..<64, with: repeatElement(0xFF, count: 32))
        case 7: other = (0..<64).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        default: break
        }
        return other
    }
}
