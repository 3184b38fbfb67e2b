import CountersignKeys
import Server
import Testing

/// What is no request, or a dangerous one (attacks A3, A5, A6, A7, A8).
struct MessageTests {
    private static let head = "POST /v1/verifications HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"

    /// Requests whose end two readers could see in different places.
    static let smuggled: [String] = [
        head
            + "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
        head
            + "Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
        head + "Content-Length: 6\r\nContent-Length: 6\r\n\r\nabcdef",
        head + "Content-Length: 6\r\nContent-Length: 5\r\n\r\nabcdef",
        head + "Content-Length: 6, 6\r\n\r\nabcdef", head + "Content-Length: +6\r\n\r\nabcdef",
        head + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        head + "Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n",
        head + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        head + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        head + "Transfer-Encoding: chunked\r\n\r\n2\nxx\r\n0\r\n\r\n",
        head + "Transfer-Encoding: chunked\r\n\r\n2\r\nxxx\r\n0\r\n\r\n",
        head + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nx\r\n0\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n", "GET /healthz HTTP/1.1\nHost: x\n\n",
        "GET /healthz HTTP/1.1\r\nHost: x\nX-A: b\r\n\r\n", "GET /healthz HTTP/1.1\r\nHost: x\rX-A: b\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nX-A : b\r\n\r\n", "GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: b\0c\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", "GET /healthz HTTP/1.1\r\n\r\n",
        "GET /healthz\r\n\r\n", "GET /healthz HTTP/3.0\r\nHost: x\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\nxxxxxxxxx",
    ]

    @Test("attack A5: refused with one answer, and the connection ends")
    func smuggling() async throws {
        try await TestServer.run { server in
            for request in Self.smuggled {
                let answer = try await server.send(request, untilClosed: true)
                #expect(answer.status == 400, "\(request) \(answer.text)")
                #expect(answer.count == 1 && answer.isClosed, "\(request) \(answer.text)")
                #expect(answer.field("Content-Type") == "application/problem+json" && answer.body.contains("1800"))
            }
        }
    }

    @Test("attack A5: requests that follow one another are answered in order, up to the one that is none")
    func pipelining() async throws {
        try await TestServer.run { server in
            let good = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
            let answer = try await server.send(good + good + good + "garbage\r\n\r\n" + good, untilClosed: true)
            #expect(answer.count == 4 && answer.isClosed)
            #expect(
                answer.text.split(separator: "HTTP/1.1 ").map { String($0.prefix(3)) } == ["200", "200", "200", "400"])
        }
    }

    @Test("attack A7: a path has one spelling")
    func paths() async throws {
        try await TestServer.run { server in
            for path in [
                "//healthz", "/healthz/", "/./healthz", "/x/../healthz", "/%68ealthz", "/healthz%00", "/healthz%2f",
                "/%2e/healthz",
                "/v1//keys", "/v1/users/%2e%2e/keys", "/v1/users/a%2Fb", "/HEALTHZ", "/healthz;x", "/",
                "/v1/signings/..",
            ] {
                let answer = try await server.ask("GET", path)
                #expect(answer.status == 404 && answer.body.contains("1809"), "\(path) \(answer.text)")
            }
            #expect(try await server.ask("GET", "/healthz?").status == 200)
            #expect(try await server.ask("GET", "/healthz?a=b").body.contains("1801"))
        }
    }

    @Test("attack A6: another media type or encoding of a body is refused")
    func mediaTypes() async throws {
        try await TestServer.run { server in
            let body = #"{"statement":"x"}"#
            for type in [
                "text/plain", "multipart/form-data; boundary=x", "application/json; charset=utf-16",
                "application/jsonp",
                "application/json; charset=utf-8; charset=utf-8", "application/json; profile=x",
                "application/x-www-form-urlencoded",
                "", "application/json, text/plain",
            ] {
                let answer = try await server.ask("POST", "/v1/verifications", body: body, type: type)
                #expect(answer.status == 415 && answer.body.contains("1804"), "\(type) \(answer.text)")
            }
            for type in ["application/json", "Application/JSON;charset=UTF-8", "application/json; charset=\"utf-8\""] {
                #expect(
                    try await server.ask("POST", "/v1/verifications", body: body, type: type).status == 200, "\(type)")
            }
            let encoded = try await server.ask("POST", "/v1/verifications", ["Content-Encoding: gzip"], body: body)
            #expect(encoded.status == 415)
            #expect(try await server.ask("GET", "/readyz", ["Accept: text/html"]).status == 406)
            #expect(try await server.ask("GET", "/readyz", ["Accept: text/html, */*;q=0.1"]).status == 200)
        }
    }

    @Test("attack A3: bodies and headers beyond the limits are refused before they are read")
    func sizes() async throws {
        try await TestServer.run { server in
            let long = try await server.send(Self.head + "Content-Length: 1000000000\r\n\r\n", untilClosed: true)
            #expect(long.status == 413 && long.isClosed)
            let chunk = "10000\r\n" + String(repeating: " ", count: 65_536) + "\r\n"
            let endless = Self.head + "Transfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 20)
            let chunked = try await server.send(endless, untilClosed: true)
            #expect(chunked.status == 413 && chunked.isClosed)
            let many = (0..<200).map { "X-\($0): y\r\n" }.joined()
            #expect(
                try await server.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\(many)\r\n", untilClosed: true).status
                    == 431)
            let wide = "X: \(String(repeating: "y", count: 20_000))\r\n"
            #expect(
                try await server.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\(wide)\r\n", untilClosed: true).status
                    == 431)
        }
    }

    @Test("attack A8: Host, forwarded headers and method overrides change nothing")
    func forgedHeaders() async throws {
        try await TestServer.run { server in
            let forged = [
                "X-Forwarded-Host: evil.test", "X-Forwarded-Proto: https", "Forwarded: host=evil.test;for=127.0.0.1",
                "X-HTTP-Method-Override: DELETE", "X-Original-URL: /v1/keys", "X-Request-ID: mine",
            ]
            let metadata = try await server.ask("GET", "/.well-known/oauth-authorization-server", forged)
            #expect(metadata.body.contains("\"token_endpoint\":\"\(TestServer.origin)/v1/token\""))
            #expect(metadata.body.contains("\"issuer\":\"https://issuer.example\""))
            #expect(
                !metadata.text.contains("evil") && !metadata.text.contains("elsewhere")
                    && !metadata.text.contains("mine"))
            #expect(try await server.ask("POST", "/healthz?_method=GET", ["X-HTTP-Method-Override: GET"]).status == 405)
        }
    }

    @Test("every answer has an id of the server's own, and says what it is; methods that are none are named")
    func answers() async throws {
        try await TestServer.run { server in
            let answer = try await server.ask("PATCH", "/v1/users/alice")
            #expect(answer.status == 405 && answer.field("Allow") == "GET, HEAD")
            let id = try #require(answer.field("X-Request-ID"))
            #expect(answer.body.contains("\"requestID\":\"\(id)\"") && id.utf8.count == 15)
            #expect(answer.field("X-Content-Type-Options") == "nosniff" && answer.field("Cache-Control") == "no-store")
            let head = try await server.send(
                "HEAD /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", untilClosed: true)
            #expect(head.status == 200 && head.body.isEmpty && head.field("Content-Length") == "3")
            let old = try await server.send("GET /healthz HTTP/1.0\r\nHost: x\r\n\r\n", untilClosed: true)
            #expect(old.status == 200 && old.isClosed)
            let keys = try await server.ask("GET", "/.well-known/jwks.json")
            let tag = try #require(keys.field("ETag"))
            let same = try await server.ask("GET", "/.well-known/jwks.json", ["If-None-Match: \(tag)"])
            #expect(same.status == 304 && same.body.isEmpty && same.field("ETag") == tag)
        }
    }
}
