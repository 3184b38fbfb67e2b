internal import FuzzSubjects
internal import Ground

private let read = expected(try? RequestSubject.reading(), "a key can be made")

/// The input as what a request to the service brings: its first byte says what.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    if let rule = read(unsafe bytes(start, count)) { expect(false, rule) }
    return 0
}
