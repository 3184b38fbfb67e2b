import ArgumentParser
import CountersignKeys
import Devices
import Sessions
import Signing

/// What a device that is about to be somebody's has to say.
enum NewDevice {
    static let nameHelp = ArgumentHelp(
        "How the device is called: 3 to 50 characters. Else its host name.", valueName: "name")

    /// How the device will be called: as it was given, else as the machine is.
    static func label(_ given: String?) throws(Failure) -> String {
        do throws(Refusal) { return try DeviceName.parse(given ?? HostName.current ?? "command line") } catch {
            throw Failure(ExitStatus(error.code), error.text, advice: "Give another name by --device-name.")
        }
    }

    /// The activation code, from a file or asked for at the terminal.
    static func code(from file: String?) throws(Failure) -> String {
        let typed: SecretBytes
        if let file {
            typed = try PasswordSource.firstLine(of: file, "activation code")
        } else {
            let terminal = try PasswordOptions.openTerminal(for: "activation code", else: "--code-file FILE")
            typed = try PasswordOptions.ask(terminal, "Activation code: ")
        }
        let text = typed.withBytes { bytes in
            var copy: [UInt8] = []
            for index in bytes.indices { copy.append(bytes[index]) }
            return String(validating: copy, as: UTF8.self)
        }
        guard let text, let code = ActivationCode(text) else {
            throw Failure(
                .refusedInput, "this is no activation code", advice: "It has 14 letters and digits: XXXX-XXXXX-XXXXX.")
        }
        return code.text
    }
}
