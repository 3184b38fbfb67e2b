import CountersignJOSE
import CountersignKeys

/// The public key of somebody else, in a file: SubjectPublicKeyInfo in PEM, or a JWK.
enum PublicKeyFile {
    private static let limit = 65_536

    static func read(_ path: String) throws(Failure) -> PublicKey {
        let bytes = try InputSource(file: path).bytes(limit: limit, what: "key")
        do {
            guard bytes.first == UInt8(ascii: "{") else { return try PublicKey(pem: bytes.span) }
            guard let object = try JSON(parsing: bytes, maxBytes: limit).object else { throw unusable(path, "no JWK") }
            return try JWK(object).key
        } catch let error as KeyError {
            throw unusable(path, error.detail)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw unusable(path, "\(error)")
        }
    }

    private static func unusable(_ path: String, _ reason: String) -> Failure {
        Failure(.refusedInput, "the key in \(path) cannot be used: \(reason)")
    }
}
