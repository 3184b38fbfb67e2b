import ArgumentParser
import CountersignVerifier

/// Filters that nothing can ever pass are mistakes: an empty list would read as an answer.
enum RecordOptions {
    static func checkUser(_ name: String) throws {
        if UserName(name) == nil { throw ValidationError("'\(name)' is no user name") }
    }

    static func checkID(_ id: String, of option: String) throws {
        if UUIDText(id) == nil { throw ValidationError("\(option) is a lower-case UUID, version 4, not '\(id)'") }
    }
}
