import Testing

@testable import SceneModel

/// Limits that depend on each other: the contents of one session fit one frame.
struct LimitsTests {
  private func conflict(_ name: String, _ value: Int) -> String? {
    var limits = Limits()
    let isThere = limits.set(name, to: value)
    #expect(isThere)
    return limits.conflict
  }

  @Test("the standard limits do not conflict")
  func standard() { #expect(Limits().conflict == nil) }

  @Test(
    "the error for a limit that is larger than a frame names both limits",
    arguments: [
      ("activityBytes", 349_184), ("userInfoBytes", 312_320), ("snapshotBytes", 106_666),
      ("optionsBytes", 640_000), ("titleBytes", 11_306), ("predicateBytes", 24_661),
    ])
  func largest(name: String, most: Int) {
    #expect(conflict(name, most) == nil)
    let problem = conflict(name, most + 1)
    #expect(problem?.contains(name) == true, "\(problem ?? "")")
    #expect(problem?.contains("frameBytes is 1048576") == true, "\(problem ?? "")")
  }

  @Test(
    "the error for a limit that is larger than a record of the journal names both",
    arguments: [
      ("activityBytes", 2_096_128), ("userInfoBytes", 1_623_040), ("snapshotBytes", 325_120),
      ("titleBytes", 65_920), ("predicateBytes", 133_888),
    ])
  func records(name: String, most: Int) {
    for past in [0, 1] {
      var limits = Limits()
      limits.frameBytes = 16_000_000
      let isThere = limits.set(name, to: most + past)
      #expect(isThere)
      let problem = limits.conflict
      #expect((problem == nil) == (past == 0), "\(problem ?? "")")
      if let problem {
        #expect(problem.contains(name))
        #expect(problem.contains("2097152"))
      }
    }
  }

  @Test("the waiting records have room for many discards, even with a low limit of sessions")
  func fewerSessions() {
    var limits = Limits()
    limits.sessions = 1
    limits.activityBytes = 0
    limits.userInfoBytes = 0
    limits.snapshotBytes = 0
    // One request can discard as many sessions as fit a frame and a report.
    let discards = min(limits.frameBytes / 39, Discard.mostOfOneRequest) * 64
    #expect(limits.waitingRecordBytes >= limits.unsyncedBytes + discards)
  }

  @Test("the longest hold and the longest discard with its drops have room")
  func longestRecords() {
    var hold = Samples.hold
    (hold.number, hold.order, hold.used) = (.min, .min, .min)
    hold.holder = ClientProcess(pid: .min, startTime: .max)
    for callback in CallbackKind.ofScenes {
      hold.end = DisconnectOutcome(
        reason: .connectionLost, callback: callback.rawValue, exit: ClientExit(signal: "WINCH"))
      var sender = ClientReference(name: String(repeating: "\u{1}", count: 200), pid: .min)
      sender.program = .min
      hold.end?.signal = SentSignal("WINCH", by: sender)
      #expect(hold.jsonByteCount + 5 <= Limits.holdRecordBytes)
    }
    let longest = ReportIdentifier(request: Samples.session, part: Discard.mostOfOneRequest)
    let discard = Discard(session: Samples.session, report: longest, more: true)
    let drop = DiscardReported(report: longest).jsonByteCount + 5
    #expect(
      discard.jsonByteCount + 5 + Discard.mostDropsOfOne * drop <= Limits.discardRecordBytes)
  }

  @Test("the limit of a program shrinks to the room that the other values of a session leave")
  func programs() {
    var limits = Limits()
    #expect(limits.programBytesAtMost == limits.programBytes)
    limits.frameBytes = 801_792
    #expect(limits.programBytesAtMost == 0)
    #expect(limits.placementBytesAtMost == 0)
    limits.frameBytes += 2 * ScenePlacement.byteLimit
    #expect(limits.placementBytesAtMost == ScenePlacement.byteLimit)
    limits.frameBytes += 2 * (1000 + 6 * SessionProgram.titleByteLimit)
    #expect(limits.programBytesAtMost == 1000)
    limits.programBytes = 999
    #expect(limits.programBytesAtMost == 999)
  }

  @Test("the default of each limit is within its bounds")
  func bounds() {
    for limit in Limits().named {
      #expect(limit.bounds.contains(limit.value), "\(limit.name)")
    }
  }

  @Test("the error for a frame that is smaller than a session names the other limits")
  func smallFrame() {
    let needed = 801_792
    #expect(conflict("frameBytes", needed) == nil)
    #expect(
      conflict("frameBytes", needed - 1)
        == "a session with activityBytes, userInfoBytes, snapshotBytes, titleBytes and "
        + "predicateBytes can need \(needed) bytes, but frameBytes is "
        + "\(needed - 1); raise frameBytes or lower the other limits")
  }
}
