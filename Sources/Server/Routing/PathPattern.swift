/// The path of a route: `/v1/signings/{id}`.
struct PathPattern: Sendable, Hashable {
    /// As it is written in docs, logs and metrics.
    let text: String
    /// The names of its parameters.
    let parameters: [String]
    /// nil stands for a parameter.
    fileprivate let segments: [String?]

    init(_ text: String) {
        self.text = text
        segments = text.split(separator: "/").map { $0.utf8.first == UInt8(ascii: "{") ? nil : String($0) }
        parameters = text.split(separator: "/").filter { $0.utf8.first == UInt8(ascii: "{") }
            .map { String($0.dropFirst().dropLast()) }
    }

    /// Whether it has no parameter.
    var isFixed: Bool { parameters.isEmpty }

    /// The values of the parameters where a path matches.
    func match(_ path: [Substring]) -> [String]? {
        guard path.count == segments.count else { return nil }
        var values: [String] = []
        for (segment, part) in zip(segments, path) {
            guard let segment else {
                values.append(String(part))
                continue
            }
            guard segment.utf8.elementsEqual(part.utf8) else { return nil }
        }
        return values
    }
}
