/// Where a command works.
enum Place {
    /// A store on this machine: its directory.
    case store(String)
}
