internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL

/// Exchanges over pooled connections: HTTP/1.1, and HTTP/2 where the server offers it over TLS. Neither proxies nor
/// anything else of the environment are honoured.
package final class PooledExchange: HTTPExchange {
    private let client: HTTPClient

    /// Exchanges with servers whose certificates are trusted.
    ///
    /// - Parameters:
    ///   - certificateAuthorities: A file of certificates (PEM) that are trusted instead of the system's.
    ///   - addresses: to which address a host's name leads, instead of what the system's resolver says.
    ///   - connectTimeout: How long a connection may take to begin, its TLS handshake included.
    ///   - readTimeout: How long a server may be silent within an answer.
    /// - Throws: `untrusted` where the file cannot be used.
    package init(
        certificateAuthorities: String? = nil, addresses: [String: String] = [:],
        connectTimeout: Duration = .seconds(10),
        readTimeout: Duration = .seconds(30)
    ) throws(OutboundError) {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let certificateAuthorities {
            do {
                let certificates = try NIOSSLCertificate.fromPEMFile(certificateAuthorities)
                guard !certificates.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
                tls.trustRoots = .certificates(certificates)
            } catch {
                throw OutboundError(.untrusted, "the file of trusted certificates cannot be read")
            }
        }
        tls.minimumTLSVersion = .tlsv12
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.redirectConfiguration = .disallow
        configuration.dnsOverride = addresses
        configuration.timeout = HTTPClient.Configuration.Timeout(
            connect: TimeAmount(connectTimeout), read: TimeAmount(readTimeout))
        // A refused connection is an answer; whoever wants to try again does it with a backoff.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        configuration.proxy = nil
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        // Closes the idle connections. The library wants it said.
        let client = client
        Task { try? await client.shutdown() }
    }

    package func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
        let outcome = await withTaskGroup(of: Result<OutboundResponse, OutboundError>?.self) { group in
            group.addTask { await self.outcome(of: request) }
            group.addTask {
                try? await Task.sleep(for: request.timeout)
                return Task.isCancelled ? nil : .failure(OutboundError(.timedOut, "no answer in time"))
            }
            for await outcome in group {
                guard let outcome else { continue }
                group.cancelAll()
                return outcome
            }
            return .failure(OutboundError(.cancelled, "cancelled"))
        }
        return try outcome.get()
    }

    private func outcome(of request: OutboundRequest) async -> Result<OutboundResponse, OutboundError> {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = HTTPMethod(rawValue: request.method)
        for (name, value) in request.headers { outgoing.headers.add(name: name, value: value) }
        var sent = ByteBuffer()
        if let body = request.body {
            sent.writeBytes(body)
            outgoing.body = .bytes(sent)
        }
        // It may have been a password. The library has let go of it by then.
        defer {
            outgoing.body = nil
            sent.setRepeatingByte(0, count: sent.readableBytes, at: sent.readerIndex)
        }
        do {
            let response = try await client.execute(outgoing, timeout: TimeAmount(request.timeout))
            let headers = response.headers.map { (name: $0.name, value: $0.value) }
            var body: [UInt8] = []
            do {
                for try await buffer in response.body {
                    guard buffer.readableBytes <= request.maxBytes - body.count else {
                        return .failure(OutboundError(.tooLarge, "the answer is longer than \(request.maxBytes) bytes"))
                    }
                    body.append(contentsOf: buffer.readableBytesView)
                }
            } catch {
                return .failure(OutboundError(ofAnswer: error))
            }
            return .success(OutboundResponse(status: Int(response.status.code), headers: headers, body: body))
        } catch {
            return .failure(OutboundError(ofRequest: error))
        }
    }
}

extension TimeAmount {
    /// The same, to the nanosecond.
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .seconds(seconds) + .nanoseconds(attoseconds / 1_000_000_000)
    }
}
