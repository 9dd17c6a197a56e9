import SceneCommandLine
import SceneJSON
import SceneModel
import Testing

@testable import SceneServer

/// An output that accepts a number of lines, and no more until there is space again.
private final class Drain {
  var room = Int.max
  private(set) var lines: [String] = []

  func take(_ line: String) -> Bool {
    guard room > 0 else { return false }
    room -= 1
    lines.append(line)
    return true
  }

  func log(_ format: Log.Format = .text, level: Log.Level = .debug) -> Log {
    Log(level: level, format: format) { line, _ in self.take(line) }
  }
}

struct LogTests {
  @Test("a reader that stops loses lines, and the log reports how many")
  func lost() {
    let drain = Drain()
    let log = drain.log()
    drain.room = 1
    for number in 1...4 { log.note("line \(number)") }
    drain.room = .max
    log.note("line 5")
    log.note("line 6")
    #expect(
      drain.lines == [
        "scened: line 1\n",
        "scened: warning: lost log lines: 3; the reader of the log is too slow\n",
        "scened: line 5\n", "scened: line 6\n",
      ])
  }

  @Test("the report of lost lines has the format of the log")
  func lostAsJSON() throws {
    let drain = Drain()
    let log = drain.log(.json)
    drain.room = 0
    log.note("one")
    drain.room = .max
    log.note("two")
    #expect(drain.lines.count == 2)
    let document = JSONDocument()
    for line in drain.lines { try document.read(ContiguousArray(line.utf8).span) }
    #expect(drain.lines[0].contains("lost log lines: 1;"))
  }

  @Test(
    "the text of a client cannot control the terminal or break the log",
    arguments: Log.Format.allCases)
  func controlCharacters(format: Log.Format) throws {
    let drain = Drain()
    let marks: [Unicode.Scalar] = ["\u{61C}", "\u{200E}", "\u{200F}"]
    let embeddings = (0x202A...0x202E).compactMap(Unicode.Scalar.init)
    let isolates = (0x2066...0x2069).compactMap(Unicode.Scalar.init)
    let directions = String(String.UnicodeScalarView(marks + embeddings + isolates))
    drain.log(format).note("\u{1B}[2J bell \u{7} next\nline \(directions)")
    let text = try #require(drain.lines.first)
    #expect(drain.lines.count == 1)
    #expect(!text.dropLast().unicodeScalars.contains { $0.properties.generalCategory == .control })
    #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .format })
    #expect(text.last == "\n")
  }

  @Test("the log has only the kinds of connection options", arguments: Log.Format.allCases)
  func options(format: Log.Format) throws {
    var options = ConnectionOptions()
    options.handoffUserActivityType = "hunter2"
    options.sourceApplication = "hunter2"
    var entry = TraceEntry(.connected)
    entry.show(options)
    let drain = Drain()
    drain.log(format).tell([entry])
    let line = try #require(drain.lines.first)
    #expect(line.contains("handoffUserActivityType"))
    #expect(line.contains("sourceApplication"))
    #expect(!line.contains("hunter2"))
  }

  @Test("the log has only entries of its level")
  func levels() {
    let drain = Drain()
    let log = drain.log(level: .warning)
    log.note("not this")
    log.warn("this")
    log.fail("and this")
    #expect(drain.lines == ["scened: warning: this\n", "scened: error: and this\n"])
  }

  @Test("a report is a warning, but not that of a window that the user closed")
  func reports() {
    let drain = Drain()
    var (problem, end) = (TraceEntry(.reported), TraceEntry(.reported))
    problem.detail = "the command failed"
    (end.detail, end.reason) = ("the last terminal was closed", "hangup")
    drain.log(level: .warning).tell([problem, end])
    #expect(drain.lines.count == 1 && drain.lines[0].contains("the command failed"))
  }

  @Test("at info, the log shows only events that explain a state or have a detail")
  func frequentEvents() {
    let drain = Drain()
    let log = drain.log(level: .info)
    #expect(!log.showsFrequentEvents)
    let frequent: [TraceEvent] = [
      .joined, .left, .callback, .acknowledged, .saved, .posted, .delivered, .observed, .ceased,
      .storage,
    ]
    #expect(frequent.filter(\.explains) == [])
    log.tell(frequent.map { TraceEntry($0) })
    #expect(drain.lines == [])
    log.tell([TraceEntry(.connected)])
    #expect(drain.lines == ["scened: connected\n"])
  }

  @Test("a save with an author is no warning, unless it also has a detail")
  func authors() {
    let drain = Drain()
    var plain = TraceEntry(.saved)
    plain.by = ClientReference(name: "scenectl", pid: 7)
    var remarkable = plain
    remarkable.detail = "by far too large"
    drain.log(level: .info).tell([plain, remarkable])
    #expect(
      drain.lines == ["scened: warning: saved by scenectl 7: by far too large\n"])
    drain.log(level: .debug).tell([plain])
    #expect(drain.lines.last == "scened: saved by scenectl 7\n")
  }

  @Test("a line names the client, and the causes in parentheses")
  func causes() {
    let drain = Drain()
    let client = ClientReference(name: "scene", pid: 7)
    var connected = TraceEntry(.connected)
    (connected.client, connected.reason, connected.generation) = (client, "launch", 2)
    var disconnected = TraceEntry(.disconnected)
    (disconnected.client, disconnected.reason) = (client, "watchdog")
    disconnected.callback = "didEnterBackground"
    drain.log(level: .info).tell([connected, disconnected])
    #expect(
      drain.lines == [
        "scened: connected to scene 7 (launch, generation 2)\n",
        "scened: disconnected from scene 7 (watchdog, didEnterBackground)\n",
      ])
  }

  @Test("a frequent message is logged once a second, with the number of omitted messages")
  func seldom() {
    var note = RateLimitedLog()
    #expect(note.suffix(at: 5) == "")
    #expect(note.suffix(at: 6) == nil)
    #expect(note.suffix(at: 1_000_000_004) == nil)
    #expect(note.suffix(at: 1_000_000_005) == " (2 more since the last such message)")
    #expect(note.suffix(at: 3_000_000_000) == "")
  }
}
