internal import NIOCore
internal import NIOSSL
internal import Synchronization

/// The certificate that new connections get. It can be exchanged while the service runs; a pair that does not work changes
/// nothing.
final class Certificates: Sendable {
    private struct Pair: Sendable {
        let chain: [NIOSSLCertificateSource]
        let key: NIOSSLPrivateKeySource
    }

    private let files: ServerSettings.TLSFiles
    private let pair: Mutex<Pair>

    /// - Throws: what is wrong with the files.
    init(_ files: ServerSettings.TLSFiles) throws {
        self.files = files
        pair = Mutex(try Self.load(files))
    }

    /// Reads the files again.
    ///
    /// - Throws: what is wrong with them; the pair in use stays.
    func reload() throws {
        let new = try Self.load(files)
        pair.withLock { $0 = new }
    }

    /// TLS 1.2 and later, each connection with the pair of its time.
    func configuration() -> TLSConfiguration {
        let first = pair.withLock { $0 }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: first.chain, privateKey: first.key)
        configuration.minimumTLSVersion = .tlsv12
        configuration.sslContextCallback = { [self] _, promise in
            let now = pair.withLock { $0 }
            var override = NIOSSLContextConfigurationOverride()
            override.certificateChain = now.chain
            override.privateKey = now.key
            promise.succeed(override)
        }
        return configuration
    }

    private static func load(_ files: ServerSettings.TLSFiles) throws -> Pair {
        let chain = try NIOSSLCertificate.fromPEMFile(files.certificate)
        guard !chain.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
        let pair = Pair(
            chain: chain.map { .certificate($0) },
            key: .privateKey(try NIOSSLPrivateKey(file: files.key, format: .pem)))
        // Fails where the key is not the certificate's.
        _ = try NIOSSLContext(
            configuration: .makeServerConfiguration(certificateChain: pair.chain, privateKey: pair.key))
        return pair
    }
}
