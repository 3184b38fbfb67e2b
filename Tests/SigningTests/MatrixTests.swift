import CountersignVerifier
import Signing
import Testing

struct MatrixTable: Codable {
    struct Cell: Codable, Sendable, CustomTestStringConvertible {
        let level: Int
        let type: Int
        let authentication: String?
        let refusal: Int?
        var testDescription: String { "(\(level), \(type))" }
    }
    let cells: [Cell]
}

@Suite("Level x type")
struct MatrixTests {
    @Test("S04-S10, O03: every cell", arguments: try Table.load(MatrixTable.self, from: "matrix.json").cells)
    func cell(_ cell: MatrixTable.Cell) throws {
        do {
            let found = try Matrix.cell(level: cell.level, type: cell.type)
            #expect("\(found.authentication)" == cell.authentication && cell.refusal == nil)
            #expect(found.level.rawValue == cell.level && found.type.rawValue == cell.type)
        } catch {
            #expect(error == Refusal(.methodNotSupported, .pair(level: cell.level, type: cell.type)))
            #expect(error.code.rawValue == cell.refusal && cell.authentication == nil)
        }
    }

    @Test("Every cell of -2...8 and the ends of Int is in the table once")
    func complete() throws {
        let axis = [Int.min] + Array(-2...8) + [Int.max]
        let cells = try Table.load(MatrixTable.self, from: "matrix.json").cells.map { [$0.level, $0.type] }
        #expect(Set(cells) == Set(axis.flatMap { level in axis.map { [level, $0] } }))
        #expect(cells.count == axis.count * axis.count)
    }

    @Test("S07, C08: the first that the device has: biometric, passcode, password; S46: IDV never falls back")
    func preference() {
        let all = Set(EvidenceKind.allCases)
        #expect(Authentication.device.first(of: all) == .biometric)
        #expect(Authentication.device.first(of: [.passcode, .password, .idv]) == .passcode)
        #expect(Authentication.device.first(of: [.password, .idv]) == .password)
        #expect(Authentication.device.first(of: [.idv]) == nil)
        #expect(Authentication.idv.first(of: all) == .idv)
        #expect(Authentication.idv.first(of: [.biometric, .passcode, .password]) == nil)
        #expect(Authentication.none.first(of: all) == nil)
    }

    @Test("Attack S8: a proof holds only methods that its evidence can show")
    func proof() {
        #expect(Proof.password(at: 7).methods == [.pwd])
        #expect(Proof(.password, methods: [.pwd], at: 0) == .password(at: 0))
        #expect(Proof(.idv, methods: [.idv], at: 0) != nil && Proof(.idv, methods: [.idvTest, .face], at: 0) != nil)
        #expect(Proof(.biometric, methods: [.fpt, .hwk, .user], at: 0) != nil)
        #expect(Proof(.passcode, methods: [.pin, .swk], at: 0) != nil)
        let wrong: [(EvidenceKind, [AuthenticationMethod])] = [
            (.password, []), (.password, [.pwd, .mfa]), (.password, [.idv]), (.password, [.pwd, .pwd]),
            (.idv, []), (.idv, [.pwd]), (.idv, [.idv, .idvTest]), (.idv, [.face]), (.biometric, [.idv]),
            (.biometric, [.fpt, .idvTest]), (.biometric, [.hwk]), (.passcode, [.fpt]), (.passcode, [.pin, .pwd]),
        ]
        for (kind, methods) in wrong { #expect(Proof(kind, methods: methods, at: 0) == nil) }
    }
}
