import SceneModel
import SceneScript
import SceneTestSupport
import Testing

func drawing(
  _ fixture: TraceFixture, about session: Int? = nil,
  _ format: TimelineText.Format = TimelineText.Format()
) -> String {
  var log = TraceLog(fixture.entries)
  if let session { log = log.filtered(to: [identifier(session)]) }
  return TimelineText(Timeline(log), format: format).text(title: "default")
}

@Suite("A timeline as text")
struct GoldenTimelineTests {
  /// One scene enters the background, one crashes, and one hangs.
  static var five: TraceFixture {
    var fixture = TraceFixture()
    for (session, pid) in [(0, 11), (1, 12), (2, 13)] as [(Int, Int64)] {
      fixture.join(pid)
      fixture.tell(.created, session) { $0.by = ClientReference(name: "scene", pid: pid) }
      fixture.connect(session, pid)
      fixture.call(session, pid, "willConnect")
    }
    fixture.answer(1, 12, "willConnect")
    fixture.answer(0, 11, "willConnect")
    fixture.wait(150)
    fixture.answer(2, 13, "willConnect", .failed)
    fixture.tell(.joined, nil, 14) { $0.client?.name = "scenectl" }
    fixture.tell(.aimed, 0, 11) {
      $0.state = .background
      $0.by = ClientReference(name: "scenectl", pid: 14)
    }
    fixture.call(0, 11, "didEnterBackground")
    fixture.tell(.left, nil, 14) { $0.client?.name = "scenectl" }
    fixture.tell(.saved, 1, 12) { $0.generation = 3 }
    fixture.disconnect(1, 12, "connectionLost")
    fixture.leave(12)
    fixture.wait(5000)
    fixture.answer(0, 11, "didEnterBackground", .overran)
    fixture.disconnect(0, 11, "watchdog")
    fixture.tell(.discarded, 0)
    fixture.join(15)
    fixture.connect(1, 15, "recover")
    fixture.call(1, 15, "willConnect")
    fixture.tell(TraceEvent(rawValue: "renamed"), 2, 13)
    return fixture
  }

  @Test("five processes have five lanes")
  func fiveProcesses() throws {
    try GoldenFile.expect(drawing(Self.five), equals: "timeline/fiveProcesses.txt")
  }

  @Test("three or more successive saves of a session are one row, with the time that they took")
  func saves() throws {
    var fixture = TraceFixture()
    for (session, pid) in [(0, 11), (1, 12)] as [(Int, Int64)] {
      fixture.join(pid)
      fixture.connect(session, pid)
    }
    for generation in 1008...1017 as ClosedRange<Int64> {
      fixture.wait(1100)
      fixture.tell(.saved, 0, 11) { $0.generation = generation }
    }
    for (session, pid, generation) in [(1, 12, 1), (1, 12, 2), (0, 11, 1018), (1, 12, 3)]
      as [(Int, Int64, Int64)]
    {
      fixture.tell(.saved, session, pid) { $0.generation = generation }
    }
    fixture.wait(5000)
    fixture.leave(12)
    try GoldenFile.expect(drawing(fixture), equals: "timeline/saves.txt")
  }

  @Test("the timeline of one session keeps the times")
  func oneSession() throws {
    try GoldenFile.expect(drawing(Self.five, about: 1), equals: "timeline/oneSession.txt")
  }

  @Test("the ASCII format replaces each mark")
  func ascii() {
    let marks = Dictionary(uniqueKeysWithValues: zip("│┬●▼▲◆○┴⋮→←", "|.@v^so':><"))
    let expected = String(drawing(Self.five, about: 1).map { marks[$0] ?? $0 })
      .replacing("> will", with: "-> will").replacing("< will", with: "<- will")
    #expect(drawing(Self.five, about: 1, TimelineText.Format(isASCII: true)) == expected)
  }

  @Test("long rows wrap, and the lanes continue")
  func narrow() throws {
    try GoldenFile.expect(
      drawing(Self.five, about: 0, TimelineText.Format(columns: 48)), equals: "timeline/narrow.txt")
    try GoldenFile.expect(
      drawing(Self.five, about: 0, TimelineText.Format(columns: 30)), equals: "timeline/small.txt")
  }

  @Test("no row is wider than the terminal, unless the drawing states the columns that it needs")
  func everyWidth() {
    let timeline = Timeline(TraceLog(Self.five.entries))
    for columns in 1...60 {
      let drawing = TimelineText(timeline, format: TimelineText.Format(columns: columns))
      let lines = drawing.text(title: "default").split(separator: "\n")
      let widest = lines.map { $0.count }.max() ?? 0
      #expect(drawing.neededColumns ?? 0 <= 23 && widest <= max(columns, 23), "\(columns)")
      #expect((drawing.neededColumns == nil) == (columns >= 23), "\(columns)")
    }
  }

  @Test("marks have colors")
  func colours() throws {
    var fixture = TraceFixture()
    fixture.join(11)
    fixture.call(0, 11, "willConnect")
    fixture.answer(0, 11, "willConnect", .failed)
    let text = drawing(fixture, TimelineText.Format(isColored: true))
    try GoldenFile.expect(text.replacing("\u{1B}[", with: "^"), equals: "timeline/colours.txt")
  }

  @Test("an empty trace has one line")
  func nothing() {
    #expect(drawing(TraceFixture()) == "default: no events\n")
  }

  @Test("names of clients and sessions cannot control the terminal")
  func unsafe() throws {
    var fixture = TraceFixture()
    fixture.tell(.joined, nil, 11) { $0.client?.name = "a\u{1B}[31m\nb" }
    fixture.tell(.created, 0) { $0.name = "\u{202E}旅行" }
    try GoldenFile.expect(drawing(fixture), equals: "timeline/unsafe.txt")
    try GoldenFile.expect(
      drawing(fixture, TimelineText.Format(isASCII: true)), equals: "timeline/unsafe-ascii.txt")
  }
}
