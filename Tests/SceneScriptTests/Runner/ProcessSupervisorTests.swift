import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneScript

@Suite("The processes of a script")
struct ProcessSupervisorTests {
  @Test(
    "all processes and the directory are gone after the end, whatever a process does to its group",
    arguments: ["kill -STOP 0", "trap '' USR1; kill -USR1 0", "kill -KILL 0", "kill -TERM 0", ":"])
  func end(step: String) throws {
    let workplace = try Workplace()
    let directory = workplace.file("stage")
    try Directory.make(directory)
    let supervisor = try ProcessSupervisor(removing: directory, socket: directory + "/sock")
    let member = try ManagedProcess(
      "/bin/sh", ["-c", "(trap '' USR1 TERM; exec sleep 1000) & : > begun; \(step); wait"],
      environment: [:],
      descriptors: [:], workingDirectory: directory, group: supervisor.group.number)
    // A process that kills the leader ends the script, so the directory can be gone already.
    try eventually("it has begun", polling: .files) {
      File.exists(directory + "/begun") || !File.exists(directory)
    }
    supervisor.end()
    #expect(supervisor.group.members.isEmpty)
    #expect(!File.exists(directory))
    #expect(member.waitForEnd(until: .max) != nil)
  }

  @Test(
    "a process that has left the group is found by its socket and killed",
    arguments: [true, false])
  func detachedProcesses(isExpected: Bool) throws {
    let workplace = try Workplace()
    let directory = workplace.file("stage")
    try Directory.make(directory)
    let supervisor = try ProcessSupervisor(removing: directory, socket: workplace.socket)
    func guest(_ socket: String) throws -> ManagedProcess {
      try ManagedProcess(
        "/bin/sleep", ["1000"], environment: ["SCENE_SOCKET": socket], descriptors: [:], group: 0)
    }
    let (own, stranger) = (try guest(workplace.socket), try guest(workplace.socket + "2"))
    if isExpected { supervisor.expectDetachedProcesses() }
    #expect(supervisor.detachedProcesses.map(\.pid) == (isExpected ? [own.pid] : []))
    supervisor.end()
    #expect(own.waitForEnd(until: .max) == .signalled(.kill))
    #expect(stranger.end == nil)
    stranger.killAndWait()
  }
}
