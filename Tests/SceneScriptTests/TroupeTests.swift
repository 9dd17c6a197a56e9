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

  @Test(
    "whoever has left the group is known by the socket, and gone at the end, expected or not",
    arguments: [true, false])
  func guests(isExpected: Bool) throws {
    let workplace = try Workplace()
    let directory = workplace.file("stage")
    try Directory.make(directory)
    let troupe = try Troupe(removing: directory, socket: workplace.socket)
    func guest(_ socket: String) throws -> StagedProcess {
      try StagedProcess(
        "/bin/sleep", ["1000"], environment: ["SCENE_SOCKET": socket], descriptors: [:], group: 0)
    }
    let (own, stranger) = (try guest(workplace.socket), try guest(workplace.socket + "2"))
    if isExpected { troupe.expectGuests() }
    #expect(troupe.guests == (isExpected ? [own.pid] : []))
    troupe.end()
    #expect(own.waitForEnd(until: .max) == .signalled(.kill))
    #expect(stranger.end == nil)
    stranger.finishOff()
  }
}
