// swift-tools-version: 6.2
import PackageDescription

// A package of its own: its executables have no `main` but libFuzzer's, so they build with `scripts/fuzz` only.
let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The verifier's library, as anybody else sees it.
let verifier = Target.Dependency.product(name: "CountersignVerifier", package: "countersign")

/// One entry that takes outside input.
func entry(_ name: String, on dependencies: [Target.Dependency] = []) -> Target {
    .executableTarget(name: name, dependencies: ["Ground", verifier] + dependencies, swiftSettings: settings)
}

let package = Package(
    name: "Fuzz",
    dependencies: [.package(name: "countersign", path: "..", traits: [])],
    targets: [
        .target(name: "Ground", dependencies: [verifier], swiftSettings: settings),
        entry("FuzzVerify"),
        entry("FuzzBundle"),
        entry("FuzzTrust"),
        entry("FuzzJSON"),
        // What the service reads of a request is nobody else's: one door, as for the benchmarks.
        entry("FuzzRequests", on: [.product(name: "FuzzSubjects", package: "countersign")]),
    ],
    swiftLanguageModes: [.v6]
)
