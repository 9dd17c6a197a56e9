import ScenePlatform
import SceneTestSupport
import Testing

@Suite(
  "Three members of etcd",
  .enabled(if: EtcdServer.program != nil, "skipped: no etcd in $PATH or $ETCD"))
struct EtcdMembersTests {
  private let etcd: EtcdServer
  private let daemon: Daemon
  private let agent: RunningProgram
  private let scene: RunningProgram

  init() throws {
    etcd = try EtcdServer(["--heartbeat-interval", "50", "--election-timeout", "250"], members: 3)
    for number in 0..<3 { _ = try etcd.link(to: number) }
    daemon = try Daemon(Workplace())
    agent = try daemon.start(
      "scenehandoff",
      ["--host", "laptop", "--state", daemon.workplace.file("handoff")]
        + etcd.ports.flatMap { ["--engine", "127.0.0.1:\($0)"] })
    scene = try daemon.scene("notes")
  }

  /// Returns the generation.
  private func save() throws -> String {
    try daemon.scenectl("save", "notes", "com.example.note", "{}")
    return try String(daemon.scenectl("show", "notes", "--value", "generation").dropLast())
  }

  private func awaitPublication(of generation: String) throws {
    try eventually("generation \(generation) is in etcd", polling: .broker) {
      try daemon.scenectl("--json", "handoff", "list")
        .contains(#""publishedGeneration":\#(generation),"#)
    }
  }

  @Test("each save is published although each member, and thus the leader, is killed in turn")
  func kills() throws {
    try awaitPublication(of: save())
    for number in 0..<3 {
      try etcd.kill(number)
      try awaitPublication(of: save())
      try etcd.start(number)
      _ = try etcd.link(to: number)
    }
  }

  @Test("saves continue while most members are stopped or all are killed, and are published then")
  func outages() throws {
    try awaitPublication(of: save())
    for number in 0..<2 { try etcd.send(.stop, to: number) }
    let first = try save()
    try agent.errorLine(containing: "does not answer")
    for number in 0..<2 { try etcd.send(.continue, to: number) }
    try awaitPublication(of: first)
    for number in 0..<3 { try etcd.kill(number) }
    try agent.errorLine(containing: "Connection refused")
    let second = try save()
    #expect(try daemon.run("scenectl", ["handoff"]).errors.contains("not connected to etcd"))
    for number in 0..<3 { try etcd.start(number) }
    try awaitPublication(of: second)
  }
}
