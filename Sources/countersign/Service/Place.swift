/// Where a command works.
enum Place {
    /// A store on this machine: its directory.
    case store(String)
    /// A service on the network: the name of a profile for it.
    case profile(String)

    /// What the options say, else what the environment says, else the profile that `profiles use` chose, else the store in
    /// the user's data directory. Two of one rank are refused: nothing tells which is meant.
    static func chosen(store: String?, profile: String?) throws(Failure) -> Place {
        switch (store, profile) {
        case (.some, .some): throw Failure(.refusedInput, "--store and --profile exclude each other")
        case (let store?, nil): return .store(try StoreLocation.path(named: store))
        case (nil, let profile?): return .profile(profile)
        case (nil, nil): break
        }
        switch (try Environment.variable("COUNTERSIGN_STORE"), try Environment.variable("COUNTERSIGN_PROFILE")) {
        case (.some, .some):
            throw Failure(
                .refusedInput, "COUNTERSIGN_STORE and COUNTERSIGN_PROFILE are both set",
                advice: "Unset one of them, or say which by --store DIR or --profile NAME.")
        case (let store?, nil): return .store(try StoreLocation.path(named: store))
        case (nil, let profile?): return .profile(profile)
        case (nil, nil): break
        }
        if let profile = try ProfileChoice.read() { return .profile(profile) }
        return .store(try StoreLocation.standard())
    }
}
