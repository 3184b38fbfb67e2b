internal import Glibc
internal import Logging
internal import Server
internal import SigningService

/// All settings, read and checked.
struct DaemonSettings {
    let data: String
    let server: ServerSettings
    let logLevel: Logger.Level
    let hashingThreads: Int
    let hashingQueue: Int
    let delivery: DeliverySettings

    init(_ source: SettingsSource, environment: [String: String]) throws(DaemonError) {
        data = try Self.data(source, environment)
        var server = ServerSettings()
        (server.host, server.port) = try Self.listen(source[.listen] ?? "127.0.0.1:8177")
        server.tls = try Self.tls(source)
        server.proxies = try Self.blocks(source, .behindProxy)
        server.metricsReaders = try Self.blocks(source, .metricsAllow)
        server.origin = try Self.origin(source, server)
        let isLocal = IPAddress(server.host)?.isLoopback == true
        guard isLocal || server.tls != nil || !server.proxies.isEmpty else {
            throw DaemonError(
                .refusedInput,
                "\(server.host) can be reached from elsewhere: give tls-certificate and tls-key, or behind-proxy")
        }
        // Proofs name the origin, byte for byte: one that nobody can write down would refuse them all.
        guard server.origin != nil || IPAddress(server.host)?.bytes.contains(where: { $0 != 0 }) == true else {
            throw DaemonError(.refusedInput, "\(server.host) is no address that clients write: give origin")
        }
        server.isAccessLogged = try Self.flag(source, .accessLog, otherwise: false)
        server.maxConnections = try Self.number(source, .connections, 1...1_000_000, otherwise: server.maxConnections)
        server.maxRequests = try Self.number(source, .requests, 1...100_000, otherwise: server.maxRequests)
        server.bodyBytes = try Self.number(source, .bodyBytes, 8_192...1_048_576, otherwise: server.bodyBytes)
        server.verificationBytes = try Self.number(
            source, .verificationBytes, 32_768...67_108_864, otherwise: server.verificationBytes)
        server.attemptsPerMinute = try Self.number(
            source, .attemptsPerMinute, 0...1_000_000, otherwise: server.attemptsPerMinute)
        server.verificationsPerMinute = try Self.number(
            source, .verificationsPerMinute, 0...10_000_000, otherwise: server.verificationsPerMinute)
        server.requestsPerMinute = try Self.number(
            source, .requestsPerMinute, 0...1_000_000, otherwise: server.requestsPerMinute)
        server.watches.inAll = try Self.number(source, .watches, 0...1_000_000, otherwise: server.watches.inAll)
        server.watches.perTopic = try Self.number(
            source, .watchesPerUser, 0...1_000_000, otherwise: server.watches.perTopic)
        server.notificationsPerMinute = try Self.number(
            source, .notificationsPerMinute, 0...1_000_000, otherwise: server.notificationsPerMinute)
        server.stopSeconds = try Self.number(source, .stopSeconds, 0...3_600, otherwise: server.stopSeconds)
        server.connection = try Self.connection(source)
        self.server = server
        let level = source[.logLevel] ?? "info"
        guard let logLevel = Logger.Level(rawValue: level) else {
            throw DaemonError(
                .refusedInput, "log-level '\(level)' is none of trace, debug, info, notice, warning, error, critical")
        }
        self.logLevel = logLevel
        let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        hashingThreads = try Self.number(source, .hashingThreads, 1...64, otherwise: max(1, processors / 2))
        delivery = try DeliverySettings(source)
        hashingQueue = try Self.number(source, .hashingQueue, 0...10_000, otherwise: 64)
    }

    private static func connection(_ source: SettingsSource) throws(DaemonError) -> ConnectionLimits {
        var limits = ConnectionLimits()
        limits.headSeconds = try number(source, .headSeconds, 1...3_600, otherwise: limits.headSeconds)
        limits.bodySeconds = try number(source, .bodySeconds, 1...3_600, otherwise: limits.bodySeconds)
        limits.idleSeconds = try number(source, .idleSeconds, 1...3_600, otherwise: limits.idleSeconds)
        limits.writeSeconds = try number(source, .writeSeconds, 1...3_600, otherwise: limits.writeSeconds)
        limits.headerBytes = try number(source, .headerBytes, 4_096...262_144, otherwise: limits.headerBytes)
        limits.headerFields = try number(source, .headerFields, 16...1_000, otherwise: limits.headerFields)
        return limits
    }

    private static func data(_ source: SettingsSource, _ environment: [String: String]) throws(DaemonError) -> String {
        if let data = source[.data] {
            guard !data.isEmpty else { throw DaemonError(.refusedInput, "data '' is not the name of a directory") }
            return data
        }
        // The XDG specification: a relative path is to be ignored.
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/countersign" }
        if let home = environment["HOME"], !home.isEmpty { return home + "/.local/share/countersign" }
        throw DaemonError(.refusedInput, "it is not known where the store is: give --data DIR")
    }

    private static func listen(_ text: String) throws(DaemonError) -> (String, Int) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
            String(port).utf8.elementsEqual(text[text.index(after: colon)...].utf8),
            let address = IPAddress(String(text[..<colon])),
            address.bytes.count == 4 || text.hasPrefix("[")
        else {
            throw DaemonError(.refusedInput, "listen '\(text)' is not an address and a port, like 127.0.0.1:8177")
        }
        return (address.description, Int(port))
    }

    /// The origin that clients know. What is not of this machine alone is https, by our certificate or by a proxy's.
    private static func origin(_ source: SettingsSource, _ server: ServerSettings) throws(DaemonError) -> String? {
        guard let text = source[.origin] else {
            guard server.proxies.isEmpty else {
                throw DaemonError(.refusedInput, "behind-proxy needs origin: what clients reach is the proxy's address")
            }
            return nil
        }
        guard let origin = Origin(text) else {
            throw DaemonError(.refusedInput, "origin '\(text)' is not like https://sign.example:8443")
        }
        guard origin.isSecure || server.tls == nil else {
            throw DaemonError(.refusedInput, "origin '\(text)' must be https: there is a tls-certificate")
        }
        guard origin.isSecure || origin.isLoopback else {
            throw DaemonError(.refusedInput, "origin '\(text)' must be https: plain http is for this machine alone")
        }
        return origin.text
    }

    private static func tls(_ source: SettingsSource) throws(DaemonError) -> ServerSettings.TLSFiles? {
        switch (source[.tlsCertificate], source[.tlsKey]) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return ServerSettings.TLSFiles(certificate: certificate, key: key)
        default: throw DaemonError(.refusedInput, "tls-certificate and tls-key go together")
        }
    }

    private static func blocks(_ source: SettingsSource, _ setting: Setting) throws(DaemonError) -> [AddressBlock] {
        var blocks: [AddressBlock] = []
        for text in source[setting]?.split(separator: ",") ?? [] {
            guard let block = AddressBlock(text.filter { $0 != " " }) else {
                throw DaemonError(
                    .refusedInput, "\(setting.rawValue): '\(text)' is no address and no block like 10.0.0.0/8")
            }
            blocks.append(block)
        }
        return blocks
    }

    private static func flag(
        _ source: SettingsSource, _ setting: Setting, otherwise standard: Bool
    ) throws(DaemonError) -> Bool {
        guard let text = source[setting] else { return standard }
        guard let flag = Bool(text) else {
            throw DaemonError(.refusedInput, "\(setting.rawValue) '\(text)' is neither true nor false")
        }
        return flag
    }

    private static func number(
        _ source: SettingsSource, _ setting: Setting, _ range: ClosedRange<Int>, otherwise standard: Int
    ) throws(DaemonError) -> Int {
        guard let text = source[setting] else { return standard }
        guard let number = Int(text), range.contains(number), String(number).utf8.elementsEqual(text.utf8) else {
            throw DaemonError(
                .refusedInput,
                "\(setting.rawValue) '\(text)' is not a number of \(range.lowerBound)...\(range.upperBound)")
        }
        return number
    }
}
