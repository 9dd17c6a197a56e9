import ScenePlatform
import SceneTestSupport
import Testing

/// `--start`, `SCENE_AUTOSTART` and `--wait`: programs that need no running broker.
struct AutostartTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  private var environment: [String: String] {
    ["SCENE_SOCKET": workplace.socket, "XDG_STATE_HOME": workplace.path + "/home"]
  }

  private func start(_ name: String, _ words: [String]) throws -> RunningProgram {
    try RunningProgram(name, words, environment: environment)
  }

  private func shutDown() throws {
    let outcome = try RunningProgram.run("scenectl", ["shutdown"], environment: environment)
    #expect(outcome.code == 0, "\(outcome.errors)")
  }

  @Test("twenty programs that start a broker at once start one broker")
  func simultaneous() throws {
    let programs = try (0..<20).map { _ in
      try start("scenectl", ["--start", "call", "application/status"])
    }
    var brokers: Set<Substring> = []
    for program in programs {
      let reply = try program.rest()
      let errors = try program.everythingOnErrors()
      #expect(try program.reap().isSuccess, "\(errors)")
      let rest = reply.split(separator: "\"pid\":").dropFirst().first ?? "none"
      brokers.insert(rest.prefix { $0.isNumber })
    }
    #expect(brokers.count == 1, "\(brokers)")
    try shutDown()
  }

  @Test("SCENE_AUTOSTART starts a broker for a scene, and the broker outlives the scene")
  func variable() throws {
    let outcome = try RunningProgram.run(
      "scene", ["packing", "--", "true"],
      environment: environment.merging(["SCENE_AUTOSTART": "1"]) { $1 })
    #expect(outcome.code == 0, "\(outcome.errors)")
    let names = try RunningProgram.run(
      "scenectl", ["sessions", "--names"], environment: environment)
    #expect(names.output == "packing\n")
    try shutDown()
  }

  @Test("a broker that cannot start is an error with the reason of its log")
  func failed() throws {
    _ = try workplace.write("home", "")
    let outcome = try RunningProgram.run("scenectl", ["--start"], environment: environment)
    #expect(outcome.code == 69)
    let reason = "scenectl: cannot start scened: cannot keep the state in \(workplace.path)/home"
    #expect(outcome.errors.hasPrefix(reason), "\(outcome.errors)")
  }

  @Test("--start asks a broker whose runtime directory was removed to listen there again")
  func removedDirectory() throws {
    let socket = workplace.file("run/sock")
    let environment = environment.merging(["SCENE_SOCKET": socket]) { $1 }
    func broker() throws -> Substring? {
      let outcome = try RunningProgram.run(
        "scenectl", ["--start", "call", "application/status"], environment: environment)
      #expect(outcome.code == 0, "\(outcome.errors)")
      return outcome.output.split(separator: #""pid":"#).last?.prefix { $0.isNumber }
    }
    let first = try broker()
    try Directory.removeTree(workplace.file("run"))
    #expect(try broker() == first)
    // The broker holds its new lock.
    #expect(LockHolder(readFrom: LockHolder.file(besideSocket: socket)) != nil)
    let end = try RunningProgram.run("scenectl", ["shutdown"], environment: environment)
    #expect(end.code == 0, "\(end.errors)")
  }

  @Test("the log of a broker that crashed stays, and a pipe in its place is refused at once")
  func previousLog() throws {
    let log = workplace.socket + ".log"
    for _ in 0..<2 {
      let status = try RunningProgram.run("scenectl", ["--start"], environment: environment)
      #expect(status.code == 0, "\(status.errors)")
      let holder = try #require(
        LockHolder(readFrom: LockHolder.file(besideSocket: workplace.socket)))
      // A client can get its reply before the broker has written its log.
      try eventually("the log has a line", polling: .files) {
        try FileStatus(of: log).size > 0
      }
      try Signal.kill.send(to: holder.pid)
      try eventually("the broker has ended", polling: .processes) { !holder.isAlive }
    }
    let previous = try String(decoding: File.read(log + ".old", limit: 1 << 16), as: UTF8.self)
    #expect(previous.contains("ready: application default"))
    try File.remove(log)
    #expect(try RunningProgram.run("mkfifo", [log]).code == 0)
    let refused = try RunningProgram.run("scenectl", ["--start"], environment: environment)
    #expect(refused.code == 69)
    #expect(refused.errors.contains("found a pipe, not a regular file; move it away"))
  }

  @Test("scene --wait waits for a broker")
  func wait() throws {
    let scene = try start("scene", ["packing", "--wait", "--json"])
    let daemon = try Daemon(workplace)
    try scene.line(containing: "didBecomeActive")
    try daemon.scenectl("close", "packing")
    #expect(try scene.reap().isSuccess)
  }
}
