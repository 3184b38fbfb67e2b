import ArgumentParser
import Signing

/// The level of a signature, and the authenticator type that goes with it.
struct LevelOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The authentication level: 0, 1 or 4. A negative one is written --level=-1.", valueName: "level"),
        completion: .list(["0", "1", "4"]))
    var level = 1

    @Option(
        help: ArgumentHelp("The authenticator type: 0 for levels 0 and 1, 1 for level 4.", valueName: "type"),
        completion: .list(["0", "1"]))
    var type = 0

    /// Refuses a pair that nobody can sign at.
    func check() throws(Failure) {
        do throws(Refusal) { _ = try Matrix.cell(level: level, type: type) } catch { throw Failure(error) }
    }
}
