internal import Glibc
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
    init(_ files: ServerSettings.TLSFiles) throws(TLSFileError) {
        self.files = files
        pair = Mutex(try Self.load(files))
    }

    /// Reads the files again.
    ///
    /// - Throws: what is wrong with them; the pair in use stays.
    func reload() throws(TLSFileError) {
        let new = try Self.load(files)
        pair.withLock { $0 = new }
    }

    /// TLS 1.2 and later, each connection with the pair of its time.
    func configuration(_ limits: ConnectionLimits) -> TLSConfiguration {
        let first = pair.withLock { $0 }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: first.chain, privateKey: first.key)
        configuration.minimumTLSVersion = .tlsv12
        // How long a connection that is closed waits for the peer to say so as well.
        configuration.shutdownTimeout = .seconds(Int64(limits.lingerSeconds))
        configuration.sslContextCallback = { [self] _, promise in
            let now = pair.withLock { $0 }
            var override = NIOSSLContextConfigurationOverride()
            override.certificateChain = now.chain
            override.privateKey = now.key
            promise.succeed(override)
        }
        return configuration
    }

    private static func load(_ files: ServerSettings.TLSFiles) throws(TLSFileError) -> Pair {
        for path in [files.certificate, files.key] {
            let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw TLSFileError(description: "\(path) cannot be read: \(unsafe String(cString: strerror(errno)))")
            }
            close(descriptor)
        }
        guard let chain = try? NIOSSLCertificate.fromPEMFile(files.certificate), !chain.isEmpty else {
            throw TLSFileError(description: "\(files.certificate) holds no certificate in PEM")
        }
        guard let key = try? NIOSSLPrivateKey(file: files.key, format: .pem) else {
            throw TLSFileError(description: "\(files.key) holds no private key in PEM")
        }
        let pair = Pair(chain: chain.map { .certificate($0) }, key: .privateKey(key))
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: pair.chain, privateKey: pair.key)
        guard (try? NIOSSLContext(configuration: configuration)) != nil else {
            throw TLSFileError(
                description: "the key in \(files.key) is not the one of the certificate in \(files.certificate)")
        }
        return pair
    }
}
