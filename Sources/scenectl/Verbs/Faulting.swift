import CommandLine
import SceneModel

extension Command {
  static var fault: Command {
    let points = FaultPoint.allCases.map(\.rawValue)
    return Command(
      "fault", "Let a broker that is there to be tested die, or find its disk full.",
      details: """
        It dies as by kill -9, the next time it passes a point on the way from a request to what \
        comes of it: recordAppended, when records are written to the log; recordSynced, when they \
        are synced; replySent, when a reply that waited for that leaves; eventDelivered, when a \
        callback does. What was under way before does not count. A second fault takes the place \
        of the first.

        With --disk-full on, what would grow is refused as on a full disk, until it is off. \
        It returns when the broker has noticed.

        The broker must have been started with --faults. One around a COMMAND (scened -- COMMAND) \
        takes COMMAND with it, and whoever that has started; for one that is to die and come back, \
        let the test start it, or use a script (scenectl test).
        """,
      options: [
        .choice("before", points, "die before this"),
        .choice("after", points, "die after this"),
        .choice("disk-full", ["on", "off"], "whether the disk is full"),
        .timeout(),
      ],
      exclusive: [["before", "after", "disk-full"]],
      examples: [
        "scenectl fault --after recordSynced; scenectl discard packing":
          "The discard is kept, and nobody is told.",
        "scenectl fault --disk-full on": "Saves are refused with storageFull.",
      ])
  }
}

extension Errand {
  func fault() throws(Failure) -> ExitCode { try tell(wantedFault()) }

  private func wantedFault() throws(Failure) -> InjectFault {
    if let point = invocation.value("before").flatMap(FaultPoint.init(rawValue:)) {
      return InjectFault(at: point, .before)
    }
    if let point = invocation.value("after").flatMap(FaultPoint.init(rawValue:)) {
      return InjectFault(at: point, .after)
    }
    if let state = invocation.value("disk-full") { return InjectFault(diskFull: state == "on") }
    let error = invocation.usageError("expected --before, --after or --disk-full")
    throw Failure(.usage, "\(error.message)\n\(error.hint)")
  }
}
