import JSON
import SceneModel
import ScenePlatform
import Testing

@testable import scene

@Suite("The file in which a program says what its scene is at")
struct ActivityFileTests {
  private static let text = #"{"activityType":"x","userInfo":{"n":1.10}}"#

  private func write(_ text: String, to file: ActivityFile) throws {
    try File.write(text.utf8, to: file.path)
  }

  @Test("begins with what the scene is to be at, which then is no news")
  func beginning() throws {
    let file = try ActivityFile()
    defer { file.remove() }
    try file.begin(with: nil)
    #expect(!File.exists(file.path))
    #expect(file.takeNews() == .absent)
    let activity = try Activity(givenType: "x", json: #"{"n":1.10}"#)
    try file.begin(with: activity)
    #expect(try File.read(file.path).elementsEqual((Self.text + "\n").utf8))
    #expect(file.takeNews() == .absent)
  }

  @Test("says what stands there once, byte for byte; null takes it away, and its removal nothing")
  func news() throws {
    let file = try ActivityFile()
    defer { file.remove() }
    try write("\n" + Self.text + " ", to: file)
    #expect(file.takeNews() == .value(try Activity(givenType: "x", json: #"{"n":1.10}"#)))
    #expect(file.takeNews() == .absent)
    try write("null", to: file)
    #expect(file.takeNews() == .null)
    try File.remove(file.path)
    #expect(file.takeNews() == .absent)
    #expect(file.flaw == nil)
  }

  @Test("what is no activity says nothing but why, until there is one again")
  func flaws() throws {
    let file = try ActivityFile()
    defer { file.remove() }
    try write(String(Self.text.dropLast(5)), to: file)
    #expect(file.takeNews() == .absent)
    #expect(file.flaw?.hasPrefix("it is not JSON: ") == true)
    try write(Self.text, to: file)
    #expect(file.takeNews() != .absent)
    #expect(file.flaw == nil)
    try write(String(repeating: "x", count: (1 << 20) + 1), to: file)
    #expect(file.takeNews() == .absent)
    #expect(file.flaw != nil)
    try File.remove(file.path)
    try Directory.make(file.path)
    #expect(file.takeNews() == .absent)
    #expect(file.flaw?.hasPrefix("it cannot be read: ") == true)
  }
}

@Suite("The pipe from which a program reads what happens")
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

  @Test("keeps what is not read, and goes on where there is room")
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
      pipe.goOn()
    }
    text += read(pipe)
    #expect(text == "one\n\(long)\n")
  }

  @Test("counts what is more than it keeps, and says so in its place")
  func lost() throws {
    let pipe = try EventPipe()
    let long = String(repeating: "x", count: 300_000)
    for _ in 0..<8 { pipe.send([long]) }
    var text = ""
    while pipe.isBehind {
      text += read(pipe)
      pipe.goOn()
    }
    pipe.send(["last"])
    text += read(pipe)
    let lines = text.split(separator: "\n")
    let kept = lines.count - 2
    #expect((1..<8).contains(kept))
    #expect(lines.suffix(2) == ["{\"lost\":\(8 - kept)}", "last"])
  }
}
