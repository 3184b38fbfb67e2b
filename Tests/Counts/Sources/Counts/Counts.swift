import BenchmarkSubjects
import CStepper
import Glibc

/// Instructions of one operation: prints a line `NUMBER NAME` for each.
///
/// `Counts repeat COUNT NAME` does one of them so often instead: for a profiler.
@main
enum Counts {
    static func main() throws {
        let arguments = CommandLine.arguments
        let subjects = try Counted.all()
        if arguments.count == 4, arguments[1] == "repeat", let times = Int(arguments[2]) {
            for subject in subjects where subject.name == arguments[3] {
                let start = clock()
                _ = try subject.work(times)
                print("\(subject.name): \(Int(Double(clock() - start) * 1000 / Double(times))) ns")
            }
            return
        }
        for subject in subjects where arguments.count < 2 || arguments.dropFirst().contains(subject.name) {
            guard let instructions = try subject.instructions() else {
                print("this system does not let a process be traced: nothing was counted")
                exit(77)
            }
            print("\(instructions)\t\(subject.name)")
        }
    }
}
