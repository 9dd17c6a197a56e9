import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneScript

@Suite("Everybody on a stage")
struct TroupeTests {
  @Test(
    "is gone at its end, with the directory, whatever one of them did to all",
    arguments: ["kill -STOP 0", "trap '' USR1; kill -USR1 0", "kill -KILL 0", "kill -TERM 0", ":"])
  func end(deed: String) throws {
    let workplace = try Workplace()
    let directory = workplace.file("stage")
    try Directory.make(directory)
    let troupe = try Troupe(removing: directory, socket: directory + "/sock")
    let member = try StagedProcess(
      "/bin/sh", ["-c", "(trap '' USR1 TERM; exec sleep 1000) & : > begun; \(deed); wait"],
      environment: [:],
      descriptors: [:], workingDirectory: directory, group: troupe.group.number)
    // Who kills the leader, too, ends the stage: then the directory may be gone before one looks.
    try eventually("it has begun") {
      File.exists(directory + "/begun") || !File.exists(directory)
    }
    troupe.end()
    #expect(troupe.group.members.isEmpty)
    #expect(!File.exists(directory))
    #expect(member.waitForEnd(until: .max) != nil)
  }
}
