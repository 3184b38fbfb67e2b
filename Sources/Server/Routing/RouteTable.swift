internal import HTTPTypes

/// All routes, and how a path finds its own.
struct RouteTable: Sendable {
    /// The routes of one path.
    struct Place: Sendable {
        let path: PathPattern
        /// Indices into `routes`.
        fileprivate(set) var methods: [(HTTPRequest.Method, Int)]

        /// The methods, as `Allow` lists them.
        var allow: String {
            methods.flatMap { $0.0 == .get ? ["GET", "HEAD"] : [$0.0.rawValue] }.joined(separator: ", ")
        }
    }

    enum Match {
        /// There is nothing at this path.
        case nothing
        /// There is, but not for this method.
        case method(allow: String)
        case route(Int, [String])
    }

    let routes: [Route]
    private var fixed: [Substring: Place] = [:]
    private var open: [Place] = []

    init(_ routes: [Route]) {
        self.routes = routes
        for (index, route) in routes.enumerated() {
            let entry = (route.method, index)
            if route.path.isFixed {
                fixed[Substring(route.path.text), default: Place(path: route.path, methods: [])].methods.append(entry)
            } else if let place = open.firstIndex(where: { $0.path == route.path }) {
                open[place].methods.append(entry)
            } else {
                open.append(Place(path: route.path, methods: [entry]))
            }
        }
    }

    /// The route of a request.
    func match(_ method: HTTPRequest.Method, _ path: Substring) -> Match {
        if let place = fixed[path] { return choose(place, method, []) }
        let segments = path.split(separator: "/")
        for place in open {
            if let values = place.path.match(segments) { return choose(place, method, values) }
        }
        return .nothing
    }

    private func choose(_ place: Place, _ method: HTTPRequest.Method, _ values: [String]) -> Match {
        let wanted = method == .head ? .get : method
        guard let index = place.methods.first(where: { $0.0 == wanted })?.1 else {
            return .method(allow: place.allow)
        }
        return .route(index, values)
    }
}
