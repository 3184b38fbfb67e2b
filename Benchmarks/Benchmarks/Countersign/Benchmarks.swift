import Benchmark
import BenchmarkSubjects
import CountersignKeys

/// The entry point that the plugin calls.
let benchmarks: @Sendable () -> Void = {
    for algorithm in KeyAlgorithm.allCases {
        register(
            Comparison("sign \(algorithm.rawValue)", goal: algorithm == .es256 ? 0.97 : nil) {
                let subjects = try KeySubjects(algorithm)
                return (try .signing(subjects), try .openSSLSigning(subjects))
            })
        register(
            Comparison("verify \(algorithm.rawValue)") {
                let subjects = try KeySubjects(algorithm)
                return (Side(run: try subjects.verifying()), try .openSSLVerifying(subjects))
            })
    }
    for algorithm in [KeyAlgorithm.es256, .edDSA] {
        register(
            Comparison("encode + sign \(algorithm.rawValue)", goal: algorithm == .es256 ? 0.85 : nil) {
                let subjects = try KeySubjects(algorithm)
                return (try .encodingAndSigning(subjects), try .openSSLSigning(subjects))
            })
    }
    for (algorithm, goal) in [(KeyAlgorithm.es256, 0.95), (.edDSA, 0.95), (.ps256, 0.85), (.rs256, 0.85)] {
        register(
            Comparison("parse + verify \(algorithm.rawValue)", goal: goal) {
                let subjects = try KeySubjects(algorithm)
                return (Side(run: subjects.parsingAndVerifying()), try .openSSLVerifying(subjects))
            })
    }
    for (algorithm, goal) in [(KeyAlgorithm.es256, 2.5), (.edDSA, 2.5)] {
        register(
            Comparison("parse + verify \(algorithm.rawValue), many at once", goal: goal) {
                let subjects = try KeySubjects(algorithm)
                return (Side(run: try subjects.parsingAndVerifyingMany()), try .openSSLVerifying(subjects))
            })
    }
    register(
        Comparison("OpenSSL alone: sign ES256, 2 threads", beside: "EVP, 1 thread", clock: .wall) {
            let subjects = try KeySubjects(.es256)
            return (.threads(2) { subjects.openSSLSigning() }, .threads(1) { subjects.openSSLSigning() })
        })
    register(
        Comparison("encode + sign ES256, 2 threads", goal: 1.95, beside: "ours, 1 thread", clock: .wall) {
            let subjects = try KeySubjects(.es256)
            return (.threads(2) { subjects.encodingAndSigning() }, .threads(1) { subjects.encodingAndSigning() })
        })
    register(
        Comparison("parse + verify ES256, 2 threads", goal: 1.95, beside: "ours, 1 thread", clock: .wall) {
            let subjects = try KeySubjects(.es256)
            return (.threads(2) { subjects.parsingAndVerifying() }, .threads(1) { subjects.parsingAndVerifying() })
        })
    register(
        // 2 µs where OpenSSL takes 42 for the signature.
        Comparison("read a statement: all but its signature", goal: 21, beside: "EVP, the signature alone") {
            let subjects = try KeySubjects(.es256)
            return (Side(run: JSONSubjects.statementReading(subjects.statements)), try .openSSLVerifying(subjects))
        })
    register(
        Comparison("read its JSON as a tree") {
            (Side(run: try JSONSubjects.treeReading(try KeySubjects(.es256).statements[0])), nil)
        })
    register(
        Comparison("write the tree, canonically") {
            (Side(run: try JSONSubjects.canonicalWriting(try KeySubjects(.es256).statements[0])), nil)
        })
    register(
        Comparison("check a password (Argon2id)", beside: "libargon2") {
            (Side(run: try await PasswordSubjects.checking()), .argon2id())
        })
}

private func register(_ comparison: Comparison) {
    Benchmark(
        comparison.name,
        configuration: .init(
            metrics: [.ours, .other, .ratio], warmupIterations: 0, maxDuration: .seconds(3), maxIterations: 60),
        closure: { benchmark in try await comparison.round(benchmark) },
        setup: { try await comparison.prepare() },
        teardown: { try comparison.report() })
}
