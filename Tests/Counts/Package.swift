// swift-tools-version: 6.2
import PackageDescription

// A package of its own: what it counts is release code, and the tests are built to be debugged. It fetches nothing.
let package = Package(
    name: "Counts",
    dependencies: [.package(name: "countersign", path: "../..", traits: [])],
    targets: [
        .target(name: "CStepper"),
        .executableTarget(
            name: "Counts",
            dependencies: ["CStepper", .product(name: "BenchmarkSubjects", package: "countersign")]),
    ],
    swiftLanguageModes: [.v6]
)
