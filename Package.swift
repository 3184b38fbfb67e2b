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

/// The tests of one floor. `TestVectors` reads `Vectors/` and the public suites.
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
        .executable(name: "countersign", targets: ["countersign"]),
        // What `Benchmarks/`, a package of its own, measures of the inner floors. Not for anybody else.
        .library(name: "BenchmarkSubjects", targets: ["BenchmarkSubjects"]),
    ],
    traits: [
        .default(enabledTraits: ["Service"]),
        .trait(
            name: "Service",
            description: "The store and the command. Without it the package is the verifier, and fetches nothing else."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .systemLibrary(name: "COpenSSL"),
        .systemLibrary(name: "CArgon2"),
        .systemLibrary(name: "CProcess"),
        floor("CountersignKeys", on: ["COpenSSL"]),
        floor("Passwords", on: ["CArgon2", "CountersignKeys"]),
        floor("CountersignJOSE", on: ["CountersignKeys"]),
        floor("CountersignVerifier", on: ["CountersignJOSE", "CountersignKeys"]),
        floor("Signing", on: ["CountersignVerifier"]),
        floor("Storage", on: []),
        floor("StorageSQLite", on: ["Storage", .product(name: "GRDB", package: "GRDB.swift", condition: service)]),
        floor(
            "SigningService",
            on: ["Storage", "Signing", "CountersignVerifier", "CountersignJOSE", "CountersignKeys", "Passwords"]),
        .executableTarget(
            name: "countersign",
            dependencies: [
                "SigningService", "StorageSQLite", "Storage", "Signing", "CountersignVerifier", "CountersignJOSE",
                "CountersignKeys", "Passwords", "CProcess",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: service),
            ],
            swiftSettings: settings),
        floor(
            "BenchmarkSubjects", on: ["CountersignVerifier", "CountersignJOSE", "CountersignKeys", "Passwords"]),
        .target(name: "TestVectors", path: "Tests/TestVectors", swiftSettings: settings),
        tests(of: "CountersignKeys"),
        tests(of: "Passwords", on: ["CountersignKeys", "CArgon2"]),
        tests(of: "CountersignJOSE", on: ["CountersignKeys"]),
        tests(of: "CountersignVerifier", on: ["CountersignJOSE", "CountersignKeys"]),
        tests(of: "Signing", on: ["CountersignVerifier"]),
        .target(
            name: "StorageConformance", dependencies: ["Storage"], path: "Tests/StorageConformance",
            swiftSettings: settings),
        tests(
            of: "StorageSQLite",
            on: ["StorageConformance", "Storage", "Signing", "CountersignVerifier", "CountersignKeys"]),
        tests(
            of: "SigningService",
            on: [
                "StorageSQLite", "Storage", "Signing", "CountersignVerifier", "CountersignJOSE", "CountersignKeys",
                "Passwords",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
