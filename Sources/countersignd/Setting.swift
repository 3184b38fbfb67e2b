/// One setting of the daemon: its name as a flag, in the environment and in the file.
enum Setting: String, CaseIterable {
    case data
    case listen
    case origin
    case tlsCertificate = "tls-certificate"
    case tlsKey = "tls-key"
    case behindProxy = "behind-proxy"
    case metricsAllow = "metrics-allow"
    case logLevel = "log-level"
    case accessLog = "access-log"
    case connections
    case requests
    case bodyBytes = "body-bytes"
    case verificationBytes = "verification-bytes"
    case headerBytes = "header-bytes"
    case headerFields = "header-fields"
    case headSeconds = "head-seconds"
    case bodySeconds = "body-seconds"
    case idleSeconds = "idle-seconds"
    case writeSeconds = "write-seconds"
    case attemptsPerMinute = "attempts-per-minute"
    case verificationsPerMinute = "verifications-per-minute"
    case requestsPerMinute = "requests-per-minute"
    case watches
    case watchesPerUser = "watches-per-user"
    case notificationsPerMinute = "notifications-per-minute"
    case hashingThreads = "hashing-threads"
    case hashingQueue = "hashing-queue"
    case deliveryCA = "delivery-ca"
    case apnsKey = "apns-key"
    case apnsKeyID = "apns-key-id"
    case apnsTeam = "apns-team"
    case apnsTopic = "apns-topic"
    case apnsOrigin = "apns-origin"
    case stopSeconds = "stop-seconds"

    /// As the environment has it.
    var variable: String {
        "COUNTERSIGND_" + rawValue.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// What it is.
    var help: String {
        switch self {
        case .data: "the store's directory; made at the first start (countersign in the user's data directory)"
        case .listen: "address and port, [::1]:8177 for example (127.0.0.1:8177)"
        case .origin: "scheme, host and port that clients know (of what is listened on)"
        case .tlsCertificate: "PEM file with the certificate chain; read again on SIGHUP"
        case .tlsKey: "PEM file with the private key"
        case .behindProxy: "proxies whose forwarded headers are believed: addresses or blocks, with commas"
        case .metricsAllow: "who may read /metrics besides this machine: addresses or blocks, with commas"
        case .logLevel: "trace, debug, info, notice, warning, error or critical (info)"
        case .accessLog: "whether each request is a line of the log: true or false (false)"
        case .connections: "connections that are open at once (4096)"
        case .requests: "requests that are worked on at once (1024)"
        case .bodyBytes: "bytes of a body (65536)"
        case .verificationBytes: "bytes of a body of verifications (1048576)"
        case .headerBytes: "bytes of all header fields (16384)"
        case .headerFields: "number of header fields (100)"
        case .headSeconds: "seconds until a header must be there (10)"
        case .bodySeconds: "seconds until a body must be there (15)"
        case .idleSeconds: "seconds that a connection may wait for its next request (20)"
        case .writeSeconds: "seconds that an answer waits for a client that does not read (15)"
        case .attemptsPerMinute: "what an address may do without a session, or in vain, a minute; 0: no limit (300)"
        case .verificationsPerMinute: "statements that an address may have verified, a minute; 0: no limit (10000)"
        case .requestsPerMinute: "what a person's or operator's session may ask, a minute; 0: no limit (1200)"
        case .watches: "event streams that are open and requests that wait for something new (8192)"
        case .watchesPerUser: "how many of them may be one user's (16)"
        case .notificationsPerMinute: "notifications that a relying service may make, a minute; 0: no limit (600)"
        case .hashingThreads: "passwords that are hashed at once (half of the processors)"
        case .hashingQueue: "passwords that may wait to be hashed (64)"
        case .deliveryCA: "PEM file of the certificates that webhook and push service are trusted by (the system's)"
        case .apnsKey: "PEM file with the key for Apple's push service (p8)"
        case .apnsKeyID: "what Apple calls that key"
        case .apnsTeam: "Apple's name of the account"
        case .apnsTopic: "the app's bundle id"
        case .apnsOrigin: "where pushes go (Apple's services)"
        case .stopSeconds: "seconds that a stop waits for what runs (25)"
        }
    }
}
