/// What `--help` prints.
enum Help {
    static var text: String {
        let settings = Setting.allCases.map { setting in
            "  --\(setting.rawValue) \(String(repeating: " ", count: max(0, 24 - setting.rawValue.utf8.count)))\(setting.help)"
        }
        return """
            countersignd: the signing service on the network

            USAGE
              countersignd [SETTINGS]                  serves, until SIGTERM or SIGINT
              countersignd check-config [SETTINGS]     reads the settings, says what is wrong with them
              countersignd operator-token [SETTINGS]   makes a token for one log-in of the operator
              countersignd openapi                     prints the OpenAPI document of its interface

            SETTINGS
              --config                   a JSON file with settings, by the names below
            \(settings.joined(separator: "\n"))

            Each is also a variable, COUNTERSIGND_DATA for data, and a member of the file. Flags go before the
            environment, and that before the file.

            EXIT CODES
              0  stopped as it was told, or done
              2  wrong settings, or a directory that cannot be its store
              9  the store or the network cannot be used

            """
    }
}
