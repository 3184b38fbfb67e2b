import Foundation
import JWTKit

/// The claims of a statement that a service would look at.
private struct Statement: JWTPayload {
    let iss: String
    let sub: String
    let iat: Int
    let jti: String
    let payload: String
    let reason: String
    let level: Int
    let amr: [String]

    enum CodingKeys: String, CodingKey {
        case iss, sub, iat, jti, payload, reason, amr
        case level = "auth_level"
    }

    func verify(using algorithm: some JWTAlgorithm) async throws {
        guard level >= 1 else { throw JWTError.claimVerificationFailure(failedClaim: nil, reason: "auth_level") }
    }
}

/// `JWTKitTwin TRUST FILE`: verifies the JWTs of a file, one on each line, under the keys of a JWK set; prints how many are
/// valid.
@main
enum JWTKitTwin {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            FileHandle.standardError.write(Data("usage: JWTKitTwin TRUST FILE\n".utf8))
            exit(2)
        }
        let keys = JWTKeyCollection()
        try await keys.add(jwksJSON: String(contentsOfFile: arguments[1], encoding: .utf8))
        let text = try Data(contentsOf: URL(fileURLWithPath: arguments[2]), options: .alwaysMapped)
        var valid = 0
        for line in text.split(separator: UInt8(ascii: "\n")) {
            guard (try? await keys.verify(line, as: Statement.self)) != nil else { continue }
            valid += 1
        }
        print(valid)
    }
}
