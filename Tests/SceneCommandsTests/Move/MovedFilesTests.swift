import SceneHandoff
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneCommands

@Suite("the data directory of a moved session")
struct MovedFilesTests {
  private let workplace: Workplace
  private let source: String
  private let target: String

  init() throws {
    workplace = try Workplace()
    source = workplace.file("source")
    target = workplace.file("target")
    try Directory.makeAll(source + "/inner")
    try Directory.make(target)
  }

  @Test("regular files move; links, pipes and private files stay")
  func kinds() throws {
    try File.write("a".utf8, to: source + "/history")
    try File.write("b".utf8, to: source + "/inner/state")
    try File.write("c".utf8, to: source + "/.scene-pid")
    try File.link(source + "/link", to: "/etc/passwd")
    try File.makeFIFO(source + "/inner/pipe")
    let moved = try MovedFiles(in: source)
    #expect(moved.files.map(\.name) == ["history", "inner/state"])
    #expect(moved.skippedCount == 2)
    try File.write("old".utf8, to: target + "/history")
    try File.write("gone".utf8, to: target + "/deleted")
    try File.write("mine".utf8, to: target + "/.scene-pid")
    try moved.files.write(to: target)
    #expect(try Directory.list(target) == [".scene-pid", "history", "inner"])
    #expect(try File.read(target + "/history") == ContiguousArray("a".utf8))
    #expect(try File.read(target + "/inner/state") == ContiguousArray("b".utf8))
    #expect(try FileStatus(of: target + "/history").mode == 0o600)
  }

  @Test("a file that a program removes meanwhile is skipped")
  func removed() throws {
    let loop = "while :; do : > \(source)/a; rm \(source)/a; done"
    let program = try RunningProgram("sh", ["-c", loop])
    for _ in 0..<500 { _ = try MovedFiles(in: source) }
    try program.kill()
  }

  @Test("a link at the target is replaced, and not followed")
  func links() throws {
    try File.write("safe".utf8, to: workplace.file("other"))
    try Directory.make(workplace.file("outside"))
    try File.link(target + "/history", to: workplace.file("other"))
    try File.link(target + "/inner", to: workplace.file("outside"))
    try [
      MovedFile(name: "history", content: [1]), MovedFile(name: "inner/state", content: [2]),
    ].write(to: target)
    #expect(try workplace.read("other") == "safe")
    #expect(try Directory.list(workplace.file("outside")).isEmpty)
    #expect(try File.read(target + "/inner/state") == [2])
  }

  @Test("a directory with too many bytes stays")
  func bytes() throws {
    try File.open(source + "/large", [.write, .create]).truncate(to: 16 << 20)
    #expect(try MovedFiles(in: source).files.count == 1)
    try File.write("x".utf8, to: source + "/more")
    let moved = try MovedFiles(in: source)
    #expect(moved.isTooLarge)
    #expect(moved.files.isEmpty)
  }

  @Test(
    "names that leave the directory are refused",
    arguments: ["/etc/x", "../x", "a/../../x", "", "a//b", "./a", ".scene-x", "a/.scene-x", "a\0"])
  func names(name: String) {
    #expect([MovedFile(name: name, content: [])].problem() != nil)
  }

  @Test("the limits hold for received files")
  func limits() {
    let file = MovedFile(name: "a", content: [])
    #expect([file].problem() == nil)
    #expect([file, file].problem() == "two files are called \"a\"")
    let many = (0...FileLimits.move.count).map { MovedFile(name: "\($0)", content: []) }
    #expect(many.problem() == "more than 4096 files")
    #expect([MovedFile](many.dropLast()).problem() == nil)
    let large = MovedFile(name: "a", content: ContiguousArray(repeating: 0, count: (16 << 20) + 1))
    #expect([large].problem() == "the files have more than 16 MiB")
  }
}
