import SceneCommandLine
import SceneControl
import SceneModel
import SceneScript

extension Verb {
  static let advance = Verb(
    "advance", "Advance the virtual clock of a broker.", script: .acts, run: CommandContext.advance,
    details: """
      Timers that become due fire in order: the time limits (budgets) of callbacks, and the \
      reservations of sessions. Before each step, clients can answer their callbacks. \
      So only a client that does not answer exceeds its budget.

      The broker must run with --clock virtual.
      """,
    arguments: [.required("TIME", "the time to add", .duration)],
    options: [.timeout()],
    examples: [
      "scenectl advance 20s": "Moves the clock forward by 20 s at once.",
      "scenectl background --no-wait packing; scenectl advance 6s":
        "A client that does not answer exceeds its budget of 5 s.",
    ])
}

extension CommandContext {
  fileprivate func advance() throws -> ExitCode {
    let time = Interval(nanoseconds: invocation.argumentNanoseconds("TIME") ?? 0)
    guard Interval(seconds: time.seconds) != nil else {
      throw invocation.usageError("TIME: the clock advances by at most 365d in one request")
    }
    return try send(AdvanceClock(seconds: time.seconds), as: "advance")
  }
}
