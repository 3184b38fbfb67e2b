import BenchmarkSubjects
import CTwin
import CountersignJOSE
import CountersignKeys
import Foundation

/// What the whole command is measured against.
///
///     BulkTwin make COUNT DIRECTORY [KEYS]
///                                         statements of three keys, or so many, in turn; one of them alone, its public key, and the
///                                         same for OpenSSL's command
///     BulkTwin verify DIRECTORY COUNT     verifies one message COUNT times by EVP; prints the CPU time of one in nanoseconds
///     BulkTwin session DIRECTORY THREADS  verifies the statements by our own calls; prints the time of one, on the wall and of the
///                                         processors
@main
enum BulkTwin {
    static func main() throws {
        let arguments = CommandLine.arguments
        switch (arguments.dropFirst().first, arguments.count) {
        case ("make", 4): try make(Int(arguments[2]) ?? 1, keys: 3, in: URL(filePath: arguments[3]))
        case ("make", 5):
            try make(Int(arguments[2]) ?? 1, keys: max(1, Int(arguments[4]) ?? 1), in: URL(filePath: arguments[3]))
        case ("verify", 4): try verify(in: URL(filePath: arguments[2]), Int(arguments[3]) ?? 1)
        case ("session", 4):
            let rate = try SessionRate(URL(filePath: arguments[2]))
            let (wall, processors) = try rate.measure(threads: Int(arguments[3]) ?? 1)
            print(Int(wall), Int(processors))
        default:
            let usage =
                "usage: BulkTwin make COUNT DIRECTORY [KEYS] | verify DIRECTORY COUNT | session DIRECTORY THREADS\n"
            FileHandle.standardError.write(Data(usage.utf8))
            exit(2)
        }
    }

    private static func make(_ count: Int, keys keyCount: Int, in directory: URL) throws {
        let makers = try (0..<keyCount).map { _ in
            try KeySubjects(.es256, statementCount: (count + keyCount - 1) / keyCount)
        }
        let subjects = makers[0]
        var lines = Data()
        for number in 0..<count {
            lines += makers[number % keyCount].statements[number / keyCount]
            lines.append(UInt8(ascii: "\n"))
        }
        let keys = makers.map { String(decoding: JWK($0.publicKey).json, as: UTF8.self) }.joined(separator: ",")
        func write(_ data: Data, _ name: String) throws { try data.write(to: directory.appending(path: name)) }
        try write(lines, "statements")
        try write(Data("{\"keys\":[\(keys)]}".utf8), "keys.json")
        try write(Data(subjects.statements[0]), "statement")
        try write(Data(subjects.publicKey.pem.utf8), "public.pem")
        try write(Data(subjects.privateKey), "private.der")
        try write(Data(subjects.message), "message")
        let twin = try makeTwin(subjects.privateKey)
        var signature = [UInt8](repeating: 0, count: Int(TWIN_MAX_SIGNATURE))
        let length = twin_sign(twin, subjects.message, subjects.message.count, &signature)
        twin_free(twin)
        try write(Data(signature[..<length]), "signature")
    }

    private static func verify(in directory: URL, _ count: Int) throws {
        func read(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: directory.appending(path: name))) }
        let (message, signature) = (try read("message"), try read("signature"))
        let twin = try makeTwin(try read("private.der"))
        let start = twin_cpu_time()
        for _ in 0..<count where !twin_verify(twin, message, message.count, signature, signature.count) {
            throw Unusable(what: "the signature")
        }
        print((twin_cpu_time() - start) / UInt64(count))
        twin_free(twin)
    }

    private static func makeTwin(_ key: [UInt8]) throws -> OpaquePointer {
        guard let twin = twin_new("ES256", key, key.count) else { throw Unusable(what: "the key") }
        return twin
    }
}

/// What was made for the measurement does not do.
struct Unusable: Error {
    let what: String
}
