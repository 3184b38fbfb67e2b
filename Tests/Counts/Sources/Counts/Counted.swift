import BenchmarkSubjects
import CStepper

/// One kind of work whose instructions are counted.
struct Counted {
    let name: String
    let work: Subject

    /// How often it is done before anything is counted: caches and buffers are as they will be.
    private static let warmUp = 64
    /// More and fewer: their difference leaves out what is done once.
    private static let counts = (few: 2, many: 6)

    /// What is counted, in the order in which it is printed.
    static func all() throws -> [Counted] {
        let keys = try KeySubjects(.es256)
        return [
            Counted(name: "read a statement", work: JSONSubjects.statementReading(keys.statements)),
            Counted(name: "encode a statement", work: keys.encoding()),
            Counted(name: "read its JSON as a tree", work: try JSONSubjects.treeReading(keys.statements[0])),
            Counted(name: "write the tree, canonically", work: try JSONSubjects.canonicalWriting(keys.statements[0])),
            Counted(name: "decode its base64url", work: try JSONSubjects.decoding(keys.statements[0])),
            Counted(name: "encode its base64url", work: try JSONSubjects.encoding(keys.statements[0])),
        ]
    }

    /// Instructions of one; nil where they cannot be counted here.
    func instructions() throws -> Int? {
        _ = try work(Self.warmUp)
        guard let few = try steps(Self.counts.few), let many = try steps(Self.counts.many) else { return nil }
        return (many - few) / (Self.counts.many - Self.counts.few)
    }

    private func steps(_ count: Int) throws -> Int? {
        let task = Task(work: work, count: count)
        let steps = stepper_count(
            { context in
                guard let context else { return 1 }
                let task = Unmanaged<Task>.fromOpaque(context).takeUnretainedValue()
                return (try? task.work(task.count)) == nil ? 1 : 0
            }, Unmanaged.passUnretained(task).toOpaque())
        withExtendedLifetime(task) {}
        switch steps {
        case -1: return nil
        case ..<0: throw Failure(name: name)
        default: return Int(steps)
        }
    }

    private final class Task {
        let work: Subject
        let count: Int

        init(work: @escaping Subject, count: Int) {
            self.work = work
            self.count = count
        }
    }

    private struct Failure: Error, CustomStringConvertible {
        let name: String
        var description: String { "\(name): the work failed" }
    }
}
