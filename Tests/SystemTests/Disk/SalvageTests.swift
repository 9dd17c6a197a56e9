import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// The recovery from a damaged journal, with the commands that a refused start prints.
struct SalvageTests {
  /// Saves twice in one scene and once in another, and then kills the daemon.
  private func saveAndKill(_ workplace: Workplace, _ state: String) throws {
    let daemon = try Daemon(workplace, ["--state", state])
    let client = try daemon.connect()
    try client.initialize()
    let packing = try client.request(SceneConnect(name: "packing"))
    for text in ["first", "second"] {
      _ = try client.request(
        SaveActivity(
          session: packing.session, activity: .test(#"{"activityType":"\#(text)","userInfo":{}}"#)))
    }
    let writing = try client.request(SceneConnect(name: "writing"))
    _ = try client.request(
      SaveActivity(
        session: writing.session, activity: .test(#"{"activityType":"third","userInfo":{}}"#)))
    try daemon.kill()
  }

  /// Changes one byte of the batch that contains `text`. Returns the offset of the batch.
  private func damage(_ path: String, at text: String) throws -> Int {
    let bytes = try File.read(path)
    let wanted = ContiguousArray(text.utf8)
    let page = try #require(
      stride(from: 4096, to: bytes.count, by: 4096).first { start in
        bytes[start..<start + 4096].indices.contains { bytes[$0...].starts(with: wanted) }
      })
    let file = try File.open(path, .write)
    try file.write(ContiguousArray([bytes[page + 40] ^ 1]).span.bytes, at: Int64(page + 40))
    return page
  }

  @Test("the command in the error recovers the readable records, and a broker starts with them")
  func refusalToStart() throws {
    let workplace = try Workplace()
    // A path that a shell would split.
    let state = workplace.file("it's my state")
    try saveAndKill(workplace, state)
    let offset = try damage(state + "/log-1", at: "second")

    let refused = try RunningProgram.run("scened", ["-S", workplace.socket, "--state", state])
    #expect(refused.code == 65)
    #expect(refused.errors.contains("\(state)/log-1 is damaged at offset \(offset)"))
    let command = try #require(refused.errors.split(separator: "with: ").last)
    let programs = try #require(Directory.parent(of: try Programs.path("scenectl")))
    let salvaged = try RunningProgram.run(
      "/bin/sh", ["-c", String(command)],
      environment: ["PATH": "\(programs):/usr/bin:/bin", "XDG_STATE_HOME": workplace.path])
    #expect(salvaged.errors == "")
    #expect(salvaged.code == 0)
    #expect(salvaged.output.contains("log-1:\(offset)-"))

    let daemon = try Daemon(workplace, ["--state", state + "-salvaged"])
    #expect(try daemon.run("scenectl", ["sessions", "--names"]).output.contains("writing"))
    #expect(try daemon.run("scenectl", ["show", "--json", "packing"]).output.contains("first"))
    #expect(try daemon.run("scenectl", ["show", "--json", "writing"]).output.contains("third"))
    #expect(try daemon.stop().isSuccess)
  }
}
