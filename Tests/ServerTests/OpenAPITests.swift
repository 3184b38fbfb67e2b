import CountersignJOSE
import Foundation
import Server
import Testing

/// The document of the interface.
struct OpenAPITests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../docs/openapi.json").standardized

    @Test("docs/openapi.json is what is served: make it anew with `countersignd openapi`")
    func file() throws {
        #expect(try [UInt8](Data(contentsOf: Self.file)) == OpenAPIDocument.text)
    }

    @Test("the document has every route and no other, and each answer is one that is known")
    func routes() throws {
        let document = try #require(
            JSON(parsing: OpenAPIDocument.text, maxBytes: 1 << 20, maxValues: 1 << 20).object)
        let paths = try #require(document["paths"]?.object)
        var described: Set<String> = []
        for (path, operations) in paths.members {
            for (method, operation) in try #require(operations.object).members {
                described.insert("\(method.uppercased()) \(path)")
                let responses = try #require(operation.object?["responses"]?.object)
                #expect(responses.members.contains { $0.name.hasPrefix("2") })
                #expect(responses["500"] != nil && responses["503"] != nil)
                let security = try #require(operation.object?["security"]?.array)
                let route = try #require(
                    SigningServer.routes.first { $0.path == path && $0.method == method.uppercased() })
                #expect((responses["403"] != nil) || route.roles == nil)
                #expect((route.roles != nil) == (security.first?.object?["dpop"] != nil))
            }
        }
        #expect(described == Set(SigningServer.routes.map { "\($0.method) \($0.path)" }))
        #expect(Set(SigningServer.routes.map(\.name)).count == SigningServer.routes.count)
    }

    @Test("every reference of the document leads somewhere")
    func references() throws {
        let document = try JSON(parsing: OpenAPIDocument.text, maxBytes: 1 << 20, maxValues: 1 << 20)
        var references: Set<String> = []
        func walk(_ value: JSON) {
            for element in value.array ?? [] { walk(element) }
            for (name, member) in value.object?.members ?? [] {
                if name == "$ref", let text = member.string { references.insert(text) }
                walk(member)
            }
        }
        walk(document)
        #expect(references.count > 30)
        for reference in references {
            var place: JSON? = document
            for name in reference.split(separator: "/").dropFirst() { place = place?.object?[String(name)] }
            #expect(place != nil, "\(reference)")
        }
    }
}
