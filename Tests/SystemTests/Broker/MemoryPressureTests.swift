import ScenePlatform
import SceneTestSupport
import Testing

/// The watch of memory pressure with real processes.
@Suite("Memory pressure")
struct MemoryPressureTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  private func manifest(pressure: Bool = true) throws -> String {
    try workplace.write(
      "app.json",
      #"{"supportsMultipleScenes":true,"policies":{"reclaim":{"pressure":\#(pressure)}},"#
        + #""configurations":{"windowApplication":[{"name":"Main","restart":"onCrash","#
        + #""launch":["\#(try Programs.path("scene"))"]}]}}"#)
  }

  private func daemon(_ watched: String, _ options: [String] = []) throws -> Daemon {
    try Daemon(
      workplace, ["--manifest", try manifest()] + options,
      environment: ["MEMORY_PRESSURE_WATCH": watched])
  }

  /// The steps in the trace, without process numbers and figures.
  private func steps(_ daemon: Daemon) throws -> [String] {
    try daemon.scenectl("trace").split(separator: "\n").compactMap { line in
      line.wholeMatch(of: /\s*[\d.]+\s+(.*?)(?: \d+)?: memory pressure: .*(clients?|resident)/)
        .map { String($0.1) }
    }
  }

  @Test("ten reports on a FIFO end idle programs and scenes in the order of use, and no others")
  func order() throws {
    let fifo = workplace.file("fifo")
    try File.makeFIFO(fifo)
    let daemon = try daemon(fifo, ["--clock", "virtual"])
    #expect(try daemon.scenectl("status").contains("pressure: watched (systemd)\n"))
    for name in ["a", "b", "c", "front"] { try daemon.scenectl("new", name) }
    for name in ["b", "c", "a"] {
      try daemon.scenectl("activate", name)
      try daemon.scenectl("background", name)
    }
    try daemon.scenectl("settle")
    let before = try daemon.scenectl("show", "b", "--value", "generation")
    let writer = try File.open(fifo, [.write, .nonblocking])
    let expected = [
      "memory warning to all clients", "b: reclaimed", "b: broker ends scene", "c: reclaimed",
      "c: broker ends scene", "a: reclaimed", "a: broker ends scene",
    ]
    for count in 1...10 {
      try writer.write("x")
      let due = Array(expected.prefix(count))
      try eventually("step \(count)", polling: .broker) { try steps(daemon) == due }
      try daemon.scenectl("settle")
      try daemon.scenectl("advance", "2s")
    }
    #expect(try steps(daemon) == expected)
    #expect(try daemon.scenectl("sessions", "--names", "--state", "foregroundActive") == "front\n")
    // The next program goes on with the watch, and begins with the warning.
    try daemon.scenectl("upgrade")
    #expect(try daemon.scenectl("status").contains("pressure: watched (systemd)\n"))
    try writer.write("x")
    try eventually("the next program warns", polling: .broker) {
      try steps(daemon) == expected + ["memory warning to all clients"]
    }
    try daemon.scenectl("activate", "b")
    #expect(try daemon.scenectl("show", "b", "--value", "generation") == before)
    // The programs would wait for the next broker.
    try daemon.stop()
  }

  @Test("a source that reports nothing, and one that was removed, are named with the remedy")
  func unfit() throws {
    for (name, words) in [
      (try workplace.write("file", "x"), "found a regular file; make a FIFO there and run"),
      ("", "WATCH is empty; set MemoryPressureWatch=auto in the unit, or unset the variable"),
    ] {
      let daemon = try daemon(name)
      let status = try daemon.scenectl("status")
      #expect(status.contains("pressure: not watched: MEMORY_PRESSURE_WATCH"), "\(status)")
      #expect(status.contains(words), "\(status)")
      try daemon.stop()
    }
    let fifo = workplace.file("fifo")
    try File.makeFIFO(fifo)
    let daemon = try daemon(fifo)
    try File.remove(fifo)
    try eventually("the removal is noticed", polling: .broker) {
      try daemon.scenectl("status").contains(
        "pressure: not watched: MEMORY_PRESSURE_WATCH names \(fifo): No such file or directory")
    }
    try File.makeFIFO(fifo)
    try daemon.scenectl("manifest", "reload")
    #expect(try daemon.scenectl("status").contains("pressure: watched (systemd)\n"))
  }

  @Test("a reload begins and ends the watch, and a missing source is one warning")
  func reload() throws {
    let daemon = try daemon(workplace.file("none"))
    let words =
      "not watched: MEMORY_PRESSURE_WATCH names \(workplace.file("none")): No such file or "
      + "directory; make a FIFO there and run: scenectl"
    #expect(try daemon.scenectl("status").contains("pressure: \(words)"))
    try daemon.scenectl("manifest", "reload")
    try File.makeFIFO(workplace.file("none"))
    try daemon.scenectl("manifest", "reload")
    #expect(try daemon.scenectl("status").contains("pressure: watched (systemd)\n"))
    try File.removeIfPresent(workplace.file("none"))
    try daemon.scenectl("manifest", "reload")
    #expect(try daemon.scenectl("status").contains("pressure: \(words)"))
    try File.makeFIFO(workplace.file("none"))
    try daemon.scenectl("manifest", "reload")
    let writer = try File.open(workplace.file("none"), [.write, .nonblocking])
    try writer.write("x")
    try eventually("a step", polling: .broker) { try !steps(daemon).isEmpty }
    _ = try manifest(pressure: false)
    try daemon.scenectl("manifest", "reload")
    #expect(try !daemon.scenectl("status").contains("pressure:"))
    try daemon.stop()
    let log = try daemon.program.everythingOnErrors()
    #expect(log.split(separator: "does not watch memory pressure").count == 3, "\(log)")
  }
}
