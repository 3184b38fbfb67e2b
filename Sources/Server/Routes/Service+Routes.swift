internal import CountersignJOSE
internal import HTTPTypes
internal import Wire

extension SigningServer {
    /// A route as others may look at it.
    package struct RouteSummary: Sendable, Hashable {
        /// The method.
        package let method: String
        /// The path, with its parameters in braces.
        package let path: String
        /// `operationId` of OpenAPI.
        package let name: String
        /// Whose sessions may use it; nil where it needs none.
        package let roles: Set<String>?
        /// Whether it looks at a proof of possession.
        package let takesProof: Bool
    }

    /// All that can be asked.
    package static let routes: [RouteSummary] = Service.routes.map { route in
        var roles: Set<String>?
        if case .sessions(let some) = route.access { roles = Set(some.map(\.rawValue)) }
        return RouteSummary(
            method: route.method.rawValue, path: route.path.text, name: route.name, roles: roles,
            takesProof: route.takesProof)
    }
}

extension Service {
    /// All routes: there are no others.
    static let routes: [Route] =
        healthRoutes + keyRoutes + [documentRoute, verifications, tokenRoute]
        + sessionRoutes + deviceRoutes + activationRoutes + signingRoutes + [batchRoute] + notificationRoutes
        + pushRoutes
        + [eventRoute] + requestRoutes + groupRoutes + recordRoutes + userRoutes + signingKeyRoutes + operatorRoutes
}
