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

  @Test("a broker that cannot start is an error with the last line of its log")
  func failed() throws {
    _ = try workplace.write("home", "")
    let outcome = try RunningProgram.run("scenectl", ["--start"], environment: environment)
    #expect(outcome.code == 69)
    #expect(outcome.errors.contains("scened ended with status "))
    #expect(outcome.errors.contains("; its log is \(workplace.socket).log\nscened: "))
  }

  @Test("scene --wait waits for a broker")
  func wait() throws {
    let scene = try start("scene", ["packing", "--wait", "--json"])
    let daemon = try Daemon(workplace)
    try scene.line(containing: "didBecomeActive")
    #expect(try daemon.run("scenectl", ["close", "packing"]).code == 0)
    #expect(try scene.reap().isSuccess)
  }
}
