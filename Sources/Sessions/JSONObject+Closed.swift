import CountersignJOSE

extension JSONObject {
    /// The name of the first member that is none of these: in a closed set there is no such.
    func firstMember(besides known: [String]) -> String? {
        members.first { member in !known.contains { $0.hasSameUTF8(as: member.name) } }?.name
    }
}
