internal import CountersignJOSE
internal import Ground

/// More than an input has.
private let maxBytes = 1 << 20

/// What is read and written canonically is read again, and written alike (RFC 8785).
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe bytes(start, count)
    let json: JSON
    do { json = try JSON(parsing: input, maxBytes: maxBytes) } catch {
        expect((0...count).contains(error.offset), "an error is somewhere in the text")
        expectReadable(error.description)
        return 0
    }
    let canonical = json.canonical()
    let again = try? JSON(parsing: canonical.span, maxBytes: canonical.count)
    compare(json, expected(again, "canonical JSON is JSON"), depth: 1)
    expect(again?.canonical() == canonical, "canonical JSON is canonical")
    return 0
}

private func compare(_ json: JSON, _ again: JSON, depth: Int) {
    expect(depth <= JSON.maxDepth + 1, "no deeper than allowed")
    switch (json, again) {
    case (.null, .null): break
    case (.bool(let value), .bool(let other)): expect(value == other, "the same truth")
    case (.number(let value), .number(let other)):
        expect(value.double == other.double && value.double.isFinite, "the same number")
        if let integer = value.int64 { expect(value.text == String(integer), "an integer has one spelling") }
    case (.string(let value), .string(let other)): expect(value.utf8.elementsEqual(other.utf8), "the same text")
    case (.array(let values), .array(let others)):
        expect(values.count == others.count, "the same elements")
        for (value, other) in zip(values, others) { compare(value, other, depth: depth + 1) }
    case (.object(let object), .object(let other)):
        expect(object.members.count == other.members.count, "the same members")
        for member in object.members {
            compare(member.value, expected(other[member.name], "the same member"), depth: depth + 1)
        }
    default: expect(false, "the same type")
    }
}
