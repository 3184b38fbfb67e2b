internal import CountersignJOSE
internal import Wire

extension Service {
    /// All routes: there are no others.
    static func routes(_ settings: ServerSettings) -> [Route] {
        healthRoutes + keyRoutes + [verifications(bodyLimit: settings.verificationBytes)]
    }
}
