package import CountersignVerifier
package import Signing

/// A change of one of their devices that a person asks for (rules D01 and D02).
package struct DeviceUpdate: Sendable, Hashable {
    /// What is to be done.
    package enum Operation: Sendable, Hashable {
        /// To call it so: a name by the rules of ``DeviceName``.
        case rename(String)
        /// To delete it.
        case delete
    }

    /// Which device.
    package let device: UUIDText
    /// What is to be done.
    package let operation: Operation

    /// How many there may be at once.
    package static let limit = 100

    /// An update as it was asked for.
    ///
    /// - Parameters:
    ///   - word: `rename` or `delete`, in exactly this case (rule O26).
    ///   - name: for `rename` the new name, untrimmed (rule C17); for `delete` none, or an empty one (rule D02).
    /// - Throws: `deviceOperation`, `memberMissing`, and what is wrong with the name.
    package init(device: UUIDText, operation word: String, name: String?) throws(Refusal) {
        self.device = device
        if word.utf8.elementsEqual("rename".utf8) {
            guard let name else { throw Refusal(.memberMissing, .member("name")) }
            operation = .rename(try DeviceName.parse(name))
        } else if word.utf8.elementsEqual("delete".utf8), name?.isEmpty ?? true {
            operation = .delete
        } else {
            throw Refusal(.deviceOperation)
        }
    }
}
