import ArgumentParser
import CountersignClient

/// `countersign proof`: for those who speak to a service by other programs.
struct ProofCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "proof",
        abstract: "Print the header with which another program, such as curl, makes one request.",
        discussion: """
            The proof (DPoP, RFC 9449) is good for one request with this method and URL, within about a minute. \
            --with-token prints the header Authorization too, and refreshes the token if it must; then the program needs \
            nothing else. Both are secrets: hand them over by a pipe, as below, never as an argument.

            EXAMPLES
              curl -H @<(countersign proof GET "$URL" --with-token) "$URL"
              countersign proof POST https://sign.example.com/v1/sessions --nonce "$NONCE"
            """)

    @Argument(help: "The method of the request: GET, POST, ...") var method: String
    @Argument(help: "Its URL, at the service of the profile.") var url: String
    @Option(help: ArgumentHelp("The newest nonce that the service gave. Else one is asked for.", valueName: "nonce"))
    var nonce: String?
    @Flag(help: "For a request of this session: the proof names the token, and the token is printed too.")
    var withToken = false
    @OptionGroup var profile: ProfileOption

    func validate() throws {
        guard (1...32).contains(method.utf8.count), method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            throw ValidationError("a method is written in capitals: GET, POST, ...")
        }
        if let nonce, nonce.isEmpty || !nonce.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            throw ValidationError("this is no nonce")
        }
    }

    func perform(_ output: Output) throws -> ExitStatus {
        let account = try profile.account()
        let (method, url, withToken, nonce) = (method, url, withToken, nonce)
        do {
            let fields = try waitFor {
                try await account.proof(method, url, isLoggedIn: withToken, nonce: nonce)
            }
            for field in fields { try output.writeLine("\(field.name): \(field.value)") }
        } catch {
            throw Failure(explaining: error)
        }
        return .done
    }
}
