// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who builds Countersign fetches what measures it.
let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "countersign", path: "..", traits: ["Service"]),
        // Its traits count allocations and references; what they need is fetched for nothing where only time counts.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift.git", from: "0.2.0"),
    ],
    targets: [
        // OpenSSL's own calls, from C, with the best reuse of contexts that is known: the limit beside each figure.
        .target(name: "CTwin", linkerSettings: [.linkedLibrary("crypto"), .linkedLibrary("argon2")]),
        .executableTarget(
            name: "CountersignBenchmarks",
            dependencies: [
                "CTwin",
                .product(name: "BenchmarkSubjects", package: "countersign"),
                .product(name: "CountersignVerifier", package: "countersign"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/Countersign",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
        // What `scripts/bench-cli` measures the whole command against.
        .executableTarget(
            name: "BulkTwin",
            dependencies: [
                "CTwin",
                .product(name: "BenchmarkSubjects", package: "countersign"),
                .product(name: "CountersignVerifier", package: "countersign"),
            ]),
        .systemLibrary(name: "CEpoll"),
        // The service under load, from end to end: `scripts/bench-service`.
        .executableTarget(
            name: "ServiceLoad",
            dependencies: [
                "CEpoll",
                .product(name: "ServiceSubjects", package: "countersign"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "CountersignVerifier", package: "countersign"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
