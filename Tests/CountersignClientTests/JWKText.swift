import CountersignJOSE
import CountersignKeys

/// A public key as whoever adds a relying service has it.
enum JWKText {
    static func of(_ key: PublicKey) -> [UInt8] { JWK(key).json }
}
