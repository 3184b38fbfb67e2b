internal import CountersignJOSE
internal import Outbound
internal import Signing
internal import Wire

extension ServiceConnection {
    /// The message that answers a call.
    func message<Message: WireMessage>(
        _ call: Call, as authorizer: (any Authorizer)? = nil
    ) async throws(ServiceError) -> Message {
        let response = try await perform(call, as: authorizer)
        do throws(Refusal) {
            return try Message.parse(response.body)
        } catch {
            throw .protocolViolation("the service's answer cannot be read: \(error.text)")
        }
    }

    /// The elements of the list that answers a call.
    func list<Element: ListedMessage>(
        _ call: Call, as authorizer: (any Authorizer)? = nil
    ) async throws(ServiceError) -> [Element] {
        let list: ListMessage<Element> = try await message(call, as: authorizer)
        return list.elements
    }

    /// Does something of which only the doing matters.
    func done(_ call: Call, as authorizer: (any Authorizer)? = nil) async throws(ServiceError) {
        _ = try await perform(call, as: authorizer)
    }

    /// How many a call ended; nil where the service does not say.
    func count(_ call: Call, as authorizer: (any Authorizer)? = nil) async throws(ServiceError) -> Int? {
        let response = try await perform(call, as: authorizer)
        return (try? CountMessage.parse(response.body))?.count
    }

    /// The text that answers a call.
    func text(_ call: Call, as authorizer: (any Authorizer)? = nil) async throws(ServiceError) -> String {
        let response = try await perform(call, as: authorizer)
        guard let text = String(validating: response.body, as: UTF8.self) else {
            throw .protocolViolation("the service's answer is not UTF-8")
        }
        return text
    }
}
