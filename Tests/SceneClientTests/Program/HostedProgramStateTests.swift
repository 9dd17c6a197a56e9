import SceneJSON
import SceneModel
import ScenePlatform
import Testing

@testable import SceneTool

@Suite("The activity file of a program")
struct ActivityFileTests {
  private static let text = #"{"activityType":"x","userInfo":{"n":1.10}}"#

  private func write(_ text: String, to file: ActivityFile) throws {
    try File.write(text.utf8, to: #require(file.path))
  }

  private static let places = ActivityLocation.all(
    of: SessionIdentifier(high: 1, low: 2), dataPath: nil)

  private func begin(with activity: Activity? = nil) throws -> ActivityFile {
    let file = ActivityFile()
    let directory = try ActivityDirectory.make(
      in: Self.places, beginningWith: activity, generation: 1)
    #expect(file.begin(directory) == directory.file)
    return file
  }

  @Test("the file begins with the scene's activity, which does not count as a change")
  func beginning() throws {
    let empty = try begin()
    defer { empty.directory?.remove() }
    #expect(try !File.exists(#require(empty.path)))
    #expect(empty.takeChange() == .absent)
    let file = try begin(with: try Activity(givenType: "x", json: #"{"n":1.10}"#))
    defer { file.directory?.remove() }
    #expect(try File.read(#require(file.path)).elementsEqual((Self.text + "\n").utf8))
    #expect(file.takeChange() == .absent)
  }

  @Test(
    "the times count only if the session has a generation that the file's process did not know")
  func times() throws {
    let (old, new) = (
      try Activity(givenType: "x", json: "{}"), try Activity(givenType: "y", json: "{}")
    )
    let directory = try ActivityDirectory.make(in: Self.places, beginningWith: old, generation: 1)
    defer { directory.remove() }
    func content(_ number: Int64, _ saved: Int64, _ activity: Activity?) -> String {
      let session = SessionIdentifier(high: 1, low: 2)
      let generation = Generation(
        session: session, number: number, activity: activity, saved: saved)
      switch directory.content(after: generation) {
      case .stored: return "stored"
      case .newer(let activity, written: _): return activity == new ? "newer" : "other"
      case .flawed: return "flawed"
      }
    }
    #expect(content(1, 0, old) == "stored")
    try File.write(new.json.bytes, to: directory.file)
    #expect(content(1, .max, old) == "newer")
    #expect(content(2, .max, old) == "stored")
    #expect(content(2, 0, old) == "newer")
    #expect(content(2, 0, new) == "stored")
    directory.noteKept(new, generation: 2)
    #expect(content(3, 0, old) == "stored")
    try File.write("{".utf8, to: directory.file)
    #expect(content(2, .max, new) == "flawed")
    #expect(content(3, .max, new) == "stored")
  }

  @Test(
    "a change is reported once, byte for byte; null clears the activity, and a removal does not")
  func news() throws {
    let file = try begin()
    defer { file.directory?.remove() }
    try write("\n" + Self.text + " ", to: file)
    #expect(file.takeChange() == .value(try Activity(givenType: "x", json: #"{"n":1.10}"#)))
    #expect(file.takeChange() == .absent)
    try write("null", to: file)
    #expect(file.takeChange() == .null)
    try File.remove(#require(file.path))
    #expect(file.takeChange() == .absent)
    #expect(file.flaw == nil)
  }

  @Test("an invalid file has no activity, but an error, until it is valid again")
  func flaws() throws {
    let file = try begin()
    defer { file.directory?.remove() }
    try write(String(Self.text.dropLast(5)), to: file)
    #expect(file.takeChange() == .absent)
    #expect(file.flaw?.hasPrefix("the file is not JSON: ") == true)
    try write(Self.text, to: file)
    #expect(file.takeChange() != .absent)
    #expect(file.flaw == nil)
    try write(String(repeating: "x", count: (1 << 20) + 1), to: file)
    #expect(file.takeChange() == .absent)
    #expect(file.flaw != nil)
    try File.remove(#require(file.path))
    try Directory.make(#require(file.path))
    #expect(file.takeChange() == .absent)
    #expect(file.flaw?.hasPrefix("the file cannot be read: ") == true)
  }
}

@Suite("The callback pipe of a program")
struct EventPipeTests {
  private func read(_ pipe: EventPipe) -> String {
    var text = [UInt8]()
    let reading = try? FileDescriptor.duplicating(pipe.readingNumber)
    try? reading?.setNonblocking()
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { room in
      while case .bytes(let count)? = reading?.readAvailable(into: room) { text += room[..<count] }
    }
    return String(decoding: text, as: UTF8.self)
  }

  @Test("the pipe keeps unread lines, and continues when there is space")
  func behind() throws {
    let pipe = try EventPipe()
    pipe.send(["one"])
    #expect(!pipe.isBehind)
    let long = String(repeating: "x", count: 200_000)
    pipe.send([long])
    #expect(pipe.isBehind)
    var text = ""
    while pipe.isBehind {
      text += read(pipe)
      pipe.writeWaiting()
    }
    text += read(pipe)
    #expect(text == "one\n\(long)\n")
  }

  @Test("the pipe counts the lines that it drops, and reports them at their position")
  func lost() throws {
    let pipe = try EventPipe()
    let long = String(repeating: "x", count: 300_000)
    for _ in 0..<8 { pipe.send([long]) }
    var text = ""
    while pipe.isBehind {
      text += read(pipe)
      pipe.writeWaiting()
    }
    pipe.send(["last"])
    text += read(pipe)
    let lines = text.split(separator: "\n")
    let kept = lines.count - 2
    #expect((1..<8).contains(kept))
    #expect(lines.suffix(2) == ["{\"lost\":\(8 - kept)}", "last"])
  }
}
