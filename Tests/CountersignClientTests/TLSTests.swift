import CountersignClient
import Foundation
import Outbound
import Server
import SigningService
import Testing

/// The `openssl` command, where there is one.
private enum OpenSSL {
    static let path = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// A certificate that signs itself, for these names.
    static func certificate(_ names: String, key: String, certificate: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: try #require(path))
        process.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj",
            "/CN=test", "-addext", "subjectAltName=\(names)", "-keyout", key, "-out", certificate,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}

@Suite("TLS", .enabled(if: OpenSSL.path != nil))
struct TLSTests {
    @Test("A certificate is trusted if it is among those of the file, and of this name; else nothing is sent")
    func trust() async throws {
        try await LiveServer.run { live in
            let folder = live.profiles.root.path(percentEncoded: false)
            let (key, certificate) = (folder + "/key.pem", folder + "/certificate.pem")
            try OpenSSL.certificate("DNS:localhost", key: key, certificate: certificate)
            try OpenSSL.certificate("DNS:localhost", key: folder + "/other.key", certificate: folder + "/other.pem")
            var settings = ServerSettings()
            settings.tls = .init(certificate: certificate, key: key)
            try await LiveServer.serve(live.engine, settings) { port in
                let url = "https://localhost:\(port)/healthz"
                let trusting = try PooledExchange(certificateAuthorities: certificate)
                #expect(try await trusting.send(OutboundRequest("GET", url)).status == 200)
                for _ in 0..<20 { _ = try await trusting.send(OutboundRequest("GET", url)) }
                let byAddress = await Self.code(trusting, "https://127.0.0.1:\(port)/healthz")
                #expect(byAddress == .untrusted)
                let other = try PooledExchange(certificateAuthorities: folder + "/other.pem")
                #expect(await Self.code(other, url) == .untrusted)
                #expect(await Self.code(try PooledExchange(), url) == .untrusted)
            }
        }
    }

    private static func code(_ exchange: PooledExchange, _ url: String) async -> OutboundError.Code? {
        do throws(OutboundError) { _ = try await exchange.send(OutboundRequest("GET", url)) } catch {
            return error.code
        }
        return nil
    }
}
