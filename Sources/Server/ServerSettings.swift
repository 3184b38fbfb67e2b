package import SigningService

/// How the service stands in the network, and what it allows.
package struct ServerSettings: Sendable {
    /// Certificate chain and private key, PEM files.
    package struct TLSFiles: Sendable {
        /// The path of the chain, the server's own certificate first.
        package let certificate: String
        /// The path of the private key.
        package let key: String

        /// Two paths.
        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// The address to listen on: a literal one.
    package var host = "127.0.0.1"
    /// The port; 0: any free one.
    package var port = 8177
    /// The origin that clients know, without a path; nil: made of what is listened on.
    package var origin: String?
    /// nil: plain HTTP.
    package var tls: TLSFiles?
    /// Proxies whose forwarded headers are believed.
    package var proxies: [AddressBlock] = []
    /// Who may read the metrics besides this machine.
    package var metricsReaders: [AddressBlock] = []
    /// Whether each request is a line of the log.
    package var isAccessLogged = false
    /// What one connection may take.
    package var connection = ConnectionLimits()
    /// How many connections are open at once; more wait in the system's queue.
    package var maxConnections = 4_096
    /// How many requests are worked on at once; more are refused.
    package var maxRequests = 1_024
    /// The bytes of a body, but of verifications and batches.
    package var bodyBytes = 65_536
    /// The bytes of a body of verifications.
    package var verificationBytes = 1 << 20
    /// The bytes of a body that asks for a batch.
    package var batchBytes = 1 << 20
    /// What an address may do without a session or in vain, a minute; 0: no limit.
    package var attemptsPerMinute = 300
    /// How many statements an address may have verified, a minute; 0: no limit.
    package var verificationsPerMinute = 10_000
    /// What a session of a person or operator may ask, a minute; 0: no limit.
    package var requestsPerMinute = 1_200
    /// How many event streams are open, and requests that wait for something new, in all and for one user.
    package var watches = ChangeHub.Limits(inAll: 8_192, perTopic: 16)
    /// How many notifications a relying service may make, a minute; 0: no limit.
    package var notificationsPerMinute = 600
    /// How long a stop waits for what runs, in seconds.
    package var stopSeconds = 25

    /// The standard settings.
    package init() {}
}
