// swift-tools-version: 6.2
import PackageDescription

// A package of its own: what jwt-kit needs would have to agree with what the service needs.
let package = Package(
    name: "JWTKitTwin",
    platforms: [.macOS(.v13)],
    dependencies: [.package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1")],
    targets: [
        .executableTarget(name: "JWTKitTwin", dependencies: [.product(name: "JWTKit", package: "jwt-kit")])
    ],
    swiftLanguageModes: [.v6]
)
