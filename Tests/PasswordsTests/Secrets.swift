import CountersignKeys
import Passwords

/// A password of a test.
func secret(_ text: String) -> SecretBytes { secret(Array(text.utf8)) }

/// A password of a test, of any bytes.
func secret(_ bytes: [UInt8]) -> SecretBytes { SecretBytes(copying: bytes.span) }

/// Costs that take no time.
let cheap = PasswordParameters(memoryKiB: 8, passes: 1, lanes: 1) ?? .standard
