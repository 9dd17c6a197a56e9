import SceneCommandLine
import SceneModel
import SceneScript

extension Verb {
  private static let points = FaultPoint.allCases.map(\.rawValue)

  static let fault = Verb(
    "fault", "Kill a test broker, or simulate a full disk.", script: .acts,
    run: CommandContext.fault,
    details: """
      With --before or --after, the broker dies as after kill -9 when a later request reaches \
      one of these points. A second fault replaces the first.

      recordAppended: records are written to the log
      recordSynced: records are synced to the disk
      replySent: a reply that waited for the sync is sent
      eventDelivered: a callback is sent

      With --disk-full on, the broker refuses writes that need more space, as on a full disk, \
      until --disk-full off. The verb returns when the broker has applied the setting.

      The broker must run with --faults. If the broker runs a command (scened -- COMMAND), the \
      command and its children end with the broker. To start the broker again, a test must \
      therefore run outside of it, or be a script (scenectl test).
      """,
    options: [
      .choice("before", points, "die before this point"),
      .choice("after", points, "die after this point"),
      .choice("disk-full", ["on", "off"], "simulate a full disk"),
      .timeout(),
    ],
    exclusive: [["before", "after", "disk-full"]],
    examples: [
      "scenectl fault --after recordSynced; scenectl discard packing":
        "The broker stores the discard and sends no reply.",
      "scenectl fault --disk-full on": "The broker refuses saves with storageFull.",
    ])
}

extension CommandContext {
  fileprivate func fault() throws -> ExitCode { try send(requestedFault()) }

  private func requestedFault() throws -> InjectFault {
    if let point = invocation.value("before").flatMap(FaultPoint.init(rawValue:)) {
      return InjectFault(at: point, .before)
    }
    if let point = invocation.value("after").flatMap(FaultPoint.init(rawValue:)) {
      return InjectFault(at: point, .after)
    }
    if let state = invocation.value("disk-full") { return InjectFault(diskFull: state == "on") }
    let error = invocation.usageError("expected --before, --after or --disk-full")
    throw ProgramError(.usage, "\(error.message)\n\(error.hint)")
  }
}
