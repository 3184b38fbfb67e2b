/// Work that is measured: does it `count` times and returns what it made each time, so that every result can be checked
/// after the clock has stopped. Work that makes nothing throws where a result is not as it should be.
public typealias Subject = (_ count: Int) throws -> [[UInt8]]

/// A result that a measured loop did not expect: its figure would mean nothing.
public struct SubjectFailure: Error, CustomStringConvertible {
    /// What went wrong.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
