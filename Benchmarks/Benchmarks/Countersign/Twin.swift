import BenchmarkSubjects
import CTwin

/// OpenSSL's own calls on the key of some subjects. For one thread.
final class Twin {
    private static let width = Int(TWIN_MAX_SIGNATURE)

    private let twin: OpaquePointer
    private var signatures: [UInt8] = []
    private var lengths: [Int] = []

    init(_ subjects: KeySubjects) throws {
        let key = subjects.privateKey
        guard let twin = twin_new(subjects.algorithm.rawValue, key, key.count) else {
            throw Failure("OpenSSL does not take the key")
        }
        self.twin = twin
    }

    deinit {
        twin_free(twin)
    }

    /// Signs a message again and again, into room that is there already.
    func sign(_ message: [UInt8], times: Int) {
        if lengths.count < times {
            lengths = Array(repeating: 0, count: times)
            signatures = Array(repeating: 0, count: times * Self.width)
        }
        signatures.withUnsafeMutableBufferPointer { signatures in
            guard let start = signatures.baseAddress else { return }
            for index in 0..<times {
                lengths[index] = twin_sign(twin, message, message.count, start + index * Self.width)
            }
        }
    }

    /// Checks what `sign` made last.
    func checkSigned(_ message: [UInt8], times: Int) throws {
        for index in 0..<times {
            let start = index * Self.width
            try check(Array(signatures[start..<start + lengths[index]]), of: message)
        }
    }

    /// Verifies signed messages in turn; throws if one is refused.
    func verify(_ signed: [SignedMessage], times: Int) throws {
        for index in 0..<times {
            let next = signed[index % signed.count]
            try check(next.signature, of: next.message)
        }
    }

    /// Whether a signature, as OpenSSL spells it, is valid; throws if it is not.
    func check(_ signature: [UInt8], of message: [UInt8]) throws {
        guard twin_verify(twin, message, message.count, signature, signature.count) else {
            throw Failure("OpenSSL refuses a signature")
        }
    }

    /// A signature as JOSE spells it in OpenSSL's spelling.
    func der(ofJOSE signature: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.width) { output, count in
            count = output.baseAddress.map { twin_der_of_jose(twin, signature, signature.count, $0) } ?? 0
        }
    }
}

/// A message with its signature, as OpenSSL spells it.
struct SignedMessage {
    let message: [UInt8]
    let signature: [UInt8]
}

/// A benchmark that cannot go on.
struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
