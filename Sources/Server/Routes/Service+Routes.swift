internal import CountersignJOSE
internal import Wire

extension Service {
    /// All routes: there are no others.
    static func routes(_ settings: ServerSettings) -> [Route] {
        let routes =
            healthRoutes + keyRoutes + [documentRoute, verifications, tokenRoute]
            + sessionRoutes + signingRoutes + recordRoutes + userRoutes + signingKeyRoutes + operatorRoutes
        return routes.map { route in
            var route = route
            route.bodyLimit = route.name == "verify" ? settings.verificationBytes : settings.bodyBytes
            return route
        }
    }
}
