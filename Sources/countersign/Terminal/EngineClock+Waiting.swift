import SigningService

extension EngineClock {
    /// The machine's clock, which says once on standard error that the engine waits. The engine lets time pass only
    /// while answers that other processes took are undecided: those of a process that died, for up to two minutes.
    static func thatTellsOfWaiting() -> EngineClock {
        let slept = Guarded<Int64>(0)
        return EngineClock(now: EngineClock.system.now) { milliseconds in
            let isLong = slept.with { total in
                total += milliseconds
                return total >= patience && total - milliseconds < patience
            }
            if isLong {
                Diagnosis.say(
                    "waiting for answers that are being checked by other processes; `countersign users unlock` ends it")
            }
            try await EngineClock.system.sleep(milliseconds)
        }
    }

    /// How long nothing is said, in milliseconds.
    private static var patience: Int64 { 1000 }
}
