// swift-tools-version: 6.2
import PackageDescription

// A package of somebody else's, who wants to verify statements and nothing more. `run` gives the path of a clone.
let package = Package(
    name: "Outside",
    dependencies: [
        .package(url: Context.environment["COUNTERSIGN_URL"] ?? "", branch: "under-test", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "Probe", dependencies: [.product(name: "CountersignVerifier", package: "countersign")])
    ]
)
