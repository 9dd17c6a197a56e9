import SceneTestSupport
import Testing

/// A `scene` whose scene was reclaimed, and its messages about its session and the next one.
struct ReclaimTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  private func scenectl(_ daemon: Daemon, _ words: String...) throws -> String {
    let outcome = try daemon.run("scenectl", words)
    #expect(outcome.code == 0, "\(words): \(outcome.errors)")
    return outcome.output.filter { $0 != "\n" }
  }

  /// A `scene` after a reclaim, and the identifier of its session.
  private func putAway(
    _ daemon: Daemon, _ options: String...
  ) throws -> (RunningProgram, session: String) {
    let scene = try daemon.start("scene", ["packing"] + options)
    try scene.line(containing: "didBecomeActive")
    let session = try scenectl(daemon, "show", "packing", "--value", "session")
    for verb in ["background", "reclaim"] { _ = try scenectl(daemon, verb, "packing") }
    try scene.line(containing: "didDisconnect")
    return (scene, session)
  }

  @Test("a waiting scene reports the discard of its session, and describes the next session")
  func discarded() throws {
    let daemon = try Daemon(workplace)
    let (scene, session) = try putAway(daemon)
    try scene.line(containing: "waiting to be activated")
    _ = try scenectl(daemon, "discard", "packing")
    #expect(
      try scene.line(containing: "discarded")
        == "the session (\(session.prefix(8).lowercased())) was discarded; "
        + "waiting for another session (Ctrl-C ends scene)")
    let other = try daemon.start("scene", ["memo", "--title", "For Rome"])
    try other.line(containing: "didBecomeActive")
    let next = try scenectl(daemon, "show", "memo", "--value", "session")
    try other.kill()
    _ = try scenectl(daemon, "wait", "memo", "unattached")
    _ = try scenectl(daemon, "activate", "memo")
    #expect(
      try scene.line(containing: "session")
        == "another session: memo (\(next)), Default Configuration, windowApplication, "
        + #""For Rome""#)
    try scene.line(containing: "willConnect          activation")
    // After another reclaim it gets the same session, and prints no description.
    for verb in ["background", "reclaim", "activate"] { _ = try scenectl(daemon, verb, "memo") }
    let shown = try scene.lines(upTo: "  willConnect          activation")
    #expect(!shown.contains { $0.contains("another session") }, "\(shown)")
  }

  @Test("a waiting scene reports no discard of another session")
  func stranger() throws {
    let daemon = try Daemon(workplace)
    let (scene, _) = try putAway(daemon)
    let other = try daemon.start("scene", ["memo"])
    try other.line(containing: "didBecomeActive")
    _ = try scenectl(daemon, "discard", "memo")
    _ = try scenectl(daemon, "activate", "packing")
    let shown = try scene.lines(upTo: "didBecomeActive")
    #expect(!shown.contains { $0.contains("session") }, "\(shown)")
  }

  @Test("a waiting scene reports a discard without a broker when the broker is back")
  func discardedOffline() throws {
    let first = try Daemon(workplace)
    let (scene, session) = try putAway(first, "--json")
    try first.kill()
    try scene.line(containing: #"{"state":"waiting"}"#)
    let discard = try RunningProgram.run(
      "scenectl", ["discard", "--offline", "--state", workplace.state, "packing"])
    #expect(discard.code == 0, "\(discard.errors)")
    let second = try Daemon(workplace)
    try scene.line(containing: #"{"state":"connected"}"#)
    #expect(
      try scene.line(containing: "discarded")
        == #"{"state":"idle","session":"\#(session)","reason":"discarded","unknown":true}"#)
    // The scene waits for other sessions.
    _ = try scenectl(second, "new", "memo")
    #expect(try scene.line(containing: "willConnect").contains(#""name":"memo""#))
  }

  @Test("a waiting scene reports a discard by the next broker in the same way")
  func discardedLater() throws {
    let first = try Daemon(workplace)
    let (scene, session) = try putAway(first, "--json")
    try first.kill()
    let second = try Daemon(workplace)
    try scene.line(containing: #"{"state":"connected"}"#)
    _ = try scenectl(second, "settle")
    _ = try scenectl(second, "discard", "packing")
    #expect(
      try scene.line(containing: "discarded").contains(
        #"{"state":"idle","session":"\#(session)","reason":"discarded""#))
  }
}
