import ScenePlatform
import Testing

struct ShellWordTests {
  @Test(
    "a shell returns a quoted word unchanged",
    arguments: [
      "", "/home/me/state", "two words", "it's", "$HOME `x` \"y\" \\", "a\nb", "~", "é*?",
    ])
  func roundTrip(text: String) throws {
    var pipe = try FileDescriptor.pipe()
    let reading = pipe.takeFirst()
    let writing = pipe.takeSecond()
    let child = try ChildProcess.spawn(
      "/bin/sh", ["-c", "printf %s \(text.shellWord)"], environment: [:],
      descriptors: [1: writing.number])
    writing.close()
    #expect(String(decoding: try reading.readToEnd(), as: UTF8.self) == text)
    #expect(try child.reap().isSuccess)
  }

  @Test("a plain path gets no quotes")
  func plain() {
    #expect("/var/lib/scened-1.2_x".shellWord == "/var/lib/scened-1.2_x")
  }
}
