// swift-tools-version: 6.2
import PackageDescription

/// One list of settings for every target: see CONTRIBUTING.md.
let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

/// A floor of the house, with the floors below that it may import.
func floor(_ name: String, on dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The tests of one floor. `TestVectors` reads `Vectors/` and the public suites, and has the generator of tests by chance.
func tests(of name: String, on dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name), "TestVectors"] + dependencies, swiftSettings: settings
    )
}

/// What only the trait `Service` needs: a package that verifies statements says `traits: []` and does not fetch it.
let service: TargetDependencyCondition? = .when(traits: ["Service"])

let package = Package(
    name: "countersign",
    products: [
        .library(
            name: "CountersignVerifier", targets: ["CountersignVerifier", "CountersignJOSE", "CountersignKeys"]),
        // What a program asks a service through: the Swift side of API v1.
        .library(name: "CountersignClient", targets: ["CountersignClient"]),
        .executable(name: "countersign", targets: ["countersign"]),
        .executable(name: "countersignd", targets: ["countersignd"]),
        // What `Benchmarks/`, a package of its own, measures of the inner floors. Not for anybody else.
        .library(name: "BenchmarkSubjects", targets: ["BenchmarkSubjects"]),
        .library(name: "ServiceSubjects", targets: ["ServiceSubjects"]),
        // What `Fuzz/`, likewise, feeds to the floors that read requests.
        .library(name: "FuzzSubjects", targets: ["FuzzSubjects"]),
    ],
    traits: [
        .default(enabledTraits: ["Service"]),
        .trait(
            name: "Service",
            description:
                "Store, service, client and commands. Without it the package is the verifier, and fetches nothing else."
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(name: "COpenSSL"),
        .systemLibrary(name: "CArgon2"),
        .systemLibrary(name: "CProcess"),
        .target(
            name: "CSQLite",
            dependencies: [.product(name: "GRDBSQLite", package: "GRDB.swift", condition: service)],
            cSettings: [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]),
        // Many signatures of P-256 keys at a time, by tables. In C, for a build without optimisation is fast enough to test it.
        .target(
            name: "CP256Table",
            cSettings: [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary("crypto")]),
        floor("CountersignKeys", on: ["COpenSSL", "CP256Table"]),
        floor("Passwords", on: ["CArgon2", "CountersignKeys"]),
        floor("CountersignJOSE", on: ["CountersignKeys"]),
        floor("CountersignVerifier", on: ["CountersignJOSE", "CountersignKeys"]),
        floor("Signing", on: ["CountersignVerifier"]),
        floor("Notifications", on: ["Signing", "CountersignVerifier", "CountersignJOSE", "CountersignKeys"]),
        floor("Sessions", on: ["Signing", "CountersignVerifier", "CountersignJOSE", "CountersignKeys"]),
        floor("Devices", on: ["Signing", "CountersignVerifier"]),
        floor(
            "Wire",
            on: [
                "Devices", "Notifications", "Sessions", "Signing", "CountersignVerifier", "CountersignJOSE",
                "CountersignKeys",
            ]),
        floor(
            "Outbound",
            on: [
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: service),
                .product(name: "NIOCore", package: "swift-nio", condition: service),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: service),
                .product(name: "NIOPosix", package: "swift-nio", condition: service),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: service),
            ]),
        floor("Storage", on: []),
        floor(
            "StorageSQLite",
            on: [
                "CSQLite", "Storage",
                .product(name: "GRDB", package: "GRDB.swift", condition: service),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: service),
            ]),
        floor(
            "SigningService",
            on: [
                "Storage", "Devices", "Notifications", "Sessions", "Signing", "CountersignVerifier", "CountersignJOSE",
                "CountersignKeys", "Passwords",
            ]),
        floor(
            "ServiceMessages",
            on: [
                "SigningService", "Wire", "Storage", "Devices", "Notifications", "Sessions", "Signing",
                "CountersignVerifier", "CountersignJOSE", "CountersignKeys",
            ]),
        floor(
            "CountersignClient",
            on: [
                "Wire", "Outbound", "Notifications", "Sessions", "Signing", "CountersignVerifier", "CountersignJOSE",
                "CountersignKeys",
            ]),
        floor(
            "Delivery",
            on: [
                "SigningService", "Outbound", "Sessions", "Signing", "CountersignVerifier", "CountersignJOSE",
                "CountersignKeys", .product(name: "Logging", package: "swift-log", condition: service),
            ]),
        floor(
            "Server",
            on: [
                "ServiceMessages",
                "SigningService", "Wire", "Storage", "Devices", "Notifications", "Sessions", "Signing",
                "CountersignVerifier", "CountersignJOSE", "CountersignKeys", "Passwords",
                .product(name: "HummingbirdCore", package: "hummingbird", condition: service),
                .product(name: "HummingbirdHTTP2", package: "hummingbird", condition: service),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: service),
                .product(name: "Logging", package: "swift-log", condition: service),
                .product(name: "NIOCore", package: "swift-nio", condition: service),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: service),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: service),
                .product(name: "NIOPosix", package: "swift-nio", condition: service),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: service),
                .product(name: "NIOTLS", package: "swift-nio", condition: service),
            ]),
        .executableTarget(
            name: "countersignd",
            dependencies: [
                "Server", "Delivery", "Outbound", "SigningService", "StorageSQLite", "Storage", "Sessions", "Signing",
                "CountersignVerifier", "CountersignJOSE", "CountersignKeys", "Passwords", "CProcess",
                .product(name: "Configuration", package: "swift-configuration", condition: service),
                .product(name: "Logging", package: "swift-log", condition: service),
                .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: service),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "countersign",
            dependencies: [
                "ServiceMessages",
                "CountersignClient", "Wire", "Devices", "Notifications", "Sessions", "SigningService", "StorageSQLite",
                "Storage", "Signing", "CountersignVerifier", "CountersignJOSE", "CountersignKeys", "Passwords",
                "CProcess",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: service),
            ],
            swiftSettings: settings),
        floor(
            "BenchmarkSubjects", on: ["CountersignVerifier", "CountersignJOSE", "CountersignKeys", "Passwords"]),
        floor(
            "FuzzSubjects",
            on: ["Wire", "Sessions", "Signing", "CountersignVerifier", "CountersignJOSE", "CountersignKeys"]),
        floor(
            "ServiceSubjects",
            on: [
                "Server", "SigningService", "StorageSQLite", "Storage", "Sessions", "Signing", "CountersignVerifier",
                "CountersignKeys", "Passwords", .product(name: "Logging", package: "swift-log", condition: service),
            ]),
        .target(name: "TestVectors", path: "Tests/TestVectors", swiftSettings: settings),
        tests(of: "CountersignKeys", on: ["COpenSSL", "CP256Table"]),
        tests(of: "Passwords", on: ["CountersignKeys", "CArgon2"]),
        tests(of: "CountersignJOSE", on: ["CountersignKeys"]),
        tests(of: "CountersignVerifier", on: ["CountersignJOSE", "CountersignKeys"]),
        tests(of: "Signing", on: ["CountersignVerifier"]),
        tests(of: "Notifications", on: ["Signing", "CountersignVerifier", "CountersignJOSE", "CountersignKeys"]),
        tests(of: "Sessions", on: ["Signing", "CountersignVerifier", "CountersignJOSE", "CountersignKeys"]),
        tests(of: "Devices", on: ["Signing", "CountersignVerifier"]),
        tests(
            of: "Wire",
            on: ["Notifications", "Sessions", "Signing", "CountersignVerifier", "CountersignJOSE", "CountersignKeys"]),
        .target(
            name: "StorageConformance", dependencies: ["Storage"], path: "Tests/StorageConformance",
            swiftSettings: settings),
        tests(
            of: "StorageSQLite",
            on: ["StorageConformance", "Storage", "Signing", "CountersignVerifier", "CountersignKeys"]),
        tests(
            of: "SigningService",
            on: [
                "StorageSQLite", "Storage", "Devices", "Notifications", "Sessions", "Signing", "CountersignVerifier",
                "CountersignJOSE", "CountersignKeys", "Passwords",
            ]),
        tests(
            of: "Delivery",
            on: ["SigningService", "Outbound", "CountersignVerifier", "CountersignJOSE", "CountersignKeys"]),
        tests(
            of: "Server",
            on: [
                "SigningService", "StorageSQLite", "Storage", "Wire", "Notifications", "Sessions", "Signing",
                "CountersignVerifier", "CountersignJOSE", "CountersignKeys", "Passwords",
                .product(name: "Logging", package: "swift-log", condition: service),
                .product(name: "NIOCore", package: "swift-nio", condition: service),
                .product(name: "NIOPosix", package: "swift-nio", condition: service),
            ]),
        tests(
            of: "CountersignClient",
            on: [
                "Server", "SigningService", "StorageSQLite", "Storage", "Outbound", "Wire", "Notifications", "Sessions",
                "Signing",
                "CountersignVerifier", "CountersignJOSE", "CountersignKeys", "Passwords",
                .product(name: "Logging", package: "swift-log", condition: service),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
