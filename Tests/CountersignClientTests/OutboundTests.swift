import Foundation
import Outbound
import Testing

@Suite("Exchanges over HTTP")
struct OutboundTests {
    private func send(
        _ reply: CannedServer.Reply, timeout: Duration = .seconds(10), maxBytes: Int = 1000
    ) async throws -> Result<OutboundResponse, OutboundError> {
        let server = try CannedServer(reply)
        let exchange = try PooledExchange()
        let request = OutboundRequest(
            "GET", "http://127.0.0.1:\(server.port)/x?y", headers: [("X-A", "b")], timeout: timeout, maxBytes: maxBytes)
        do throws(OutboundError) { return .success(try await exchange.send(request)) } catch { return .failure(error) }
    }

    private func code(_ reply: CannedServer.Reply, timeout: Duration = .seconds(10)) async throws -> OutboundError.Code?
    {
        if case .failure(let error) = try await send(reply, timeout: timeout) { error.code } else { nil }
    }

    @Test("An answer comes whole, whatever its status; a redirect is an answer")
    func answers() async throws {
        let response = try await send(.text("HTTP/1.1 404 No\r\nX-Y: z\r\nContent-Length: 2\r\n\r\nab")).get()
        #expect(response.status == 404 && response.body == Array("ab".utf8) && response.header("x-y") == "z")
        let redirect = try await send(.text("HTTP/1.1 302 F\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n")).get()
        #expect(redirect.status == 302)
        let chunked = try await send(.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"))
            .get()
        #expect(chunked.body == Array("ab".utf8))
        let twice = try await send(.text("HTTP/1.1 200 OK\r\nA: 1\r\nA: 2\r\nContent-Length: 0\r\n\r\n")).get()
        #expect(twice.header("A") == nil)
    }

    @Test("An answer beyond the limit is cut off, also where its length is not said before")
    func tooLarge() async throws {
        let long = String(repeating: "x", count: 1001)
        #expect(try await code(.text("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n\(long)")) == .tooLarge)
        #expect(try await code(.text("HTTP/1.0 200 OK\r\n\r\n\(long)")) == .tooLarge)
    }

    @Test("Nobody there, a connection that ends, silence, and what is no HTTP have codes of their own")
    func errors() async throws {
        #expect(try await code(.text("")) == .connectionLost)
        #expect(try await code(.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nab")) == .connectionLost)
        #expect(try await code(.text("SSH-2.0-OpenSSH_9\r\n")) == .protocolViolation)
        #expect(try await code(.silence, timeout: .milliseconds(100)) == .timedOut)
        let port = try CannedServer(.silence).port
        // The server is gone with the line above.
        let exchange = try PooledExchange()
        let error = await #expect(throws: OutboundError.self) {
            try await exchange.send(OutboundRequest("GET", "http://127.0.0.1:\(port)/"))
        }
        #expect(error?.code == .unreachable, "\(String(describing: error))")
        #expect(error?.wasNotSent == true)
        let unknown = await #expect(throws: OutboundError.self) {
            try await exchange.send(OutboundRequest("GET", "http://name.invalid/"))
        }
        #expect(unknown?.code == .unreachable)
        for url in ["", "x", "ftp://127.0.0.1/", "http://"] {
            let error = await #expect(throws: OutboundError.self) {
                try await exchange.send(OutboundRequest("GET", url))
            }
            #expect(error?.code == .requestInvalid, "\(url)")
        }
        let header = await #expect(throws: OutboundError.self) {
            try await exchange.send(OutboundRequest("GET", "http://127.0.0.1:\(port)/", headers: [("A", "b\r\nC: d")]))
        }
        #expect(header?.code == .requestInvalid)
    }

    @Test("TLS: what answers without it is not trusted, and a file of certificates must be one")
    func tls() async throws {
        let server = try CannedServer(.text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
        let exchange = try PooledExchange()
        let error = await #expect(throws: OutboundError.self) {
            try await exchange.send(OutboundRequest("GET", "https://127.0.0.1:\(server.port)/"))
        }
        #expect(error?.code == .untrusted)
        #expect(throws: OutboundError.self) { try PooledExchange(certificateAuthorities: "/nonexistent") }
        #expect(throws: OutboundError.self) { try PooledExchange(certificateAuthorities: "/dev/null") }
    }

    @Test("Cancelling ends an exchange")
    func cancelling() async throws {
        let server = try CannedServer(.silence)
        let exchange = try PooledExchange()
        let url = "http://127.0.0.1:\(server.port)/"
        let task = Task { () -> OutboundError.Code? in
            do throws(OutboundError) { _ = try await exchange.send(OutboundRequest("GET", url)) } catch {
                return error.code
            }
            return nil
        }
        await server.connected()
        task.cancel()
        #expect(await task.value == .cancelled)
    }
}
