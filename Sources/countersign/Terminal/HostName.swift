import Glibc

/// The name of this machine.
enum HostName {
    /// Without its domain; nil where it has none that is UTF-8 and long enough to tell it from others.
    static var current: String? {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
        let bytes = name.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: ".")) }.map(UInt8.init(bitPattern:))
        guard bytes.count >= 3, bytes.count <= 50 else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
