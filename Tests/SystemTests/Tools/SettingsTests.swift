import ScenePlatform
import SceneTestSupport
import Testing

/// The settings file with the real programs.
struct SettingsTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  private func run(_ program: String, _ words: String..., settings: String) throws -> Outcome {
    let environment = [
      "SCENE_CONFIG": try workplace.write("config", settings), "HOME": workplace.path,
      "XDG_RUNTIME_DIR": workplace.path, "XDG_STATE_HOME": "",
    ]
    return try RunningProgram.run(program, words, environment: environment)
  }

  @Test("all programs use the application and the autostart of the settings")
  func application() throws {
    let settings = "application = work\nautostart = yes\n"
    let scene = try run("scene", "packing", "--", "/bin/true", settings: settings)
    #expect(scene.code == 0, "\(scene.errors)")
    let status = try run("scenectl", settings: settings)
    #expect(status.output.hasPrefix("application work: "), "\(status.errors)")
    let other = try run("scenectl", "-a", "default", settings: "")
    #expect(other.code == 69)
    #expect(other.errors.contains("no broker runs for application default"))
    let script = "! exec scenectl status\n"
    let test = try run(
      "scenectl", "test", workplace.write("file", script), settings: settings)
    #expect(test.code == 0, "a test must not start a broker: \(test.output)")
    let end = try run("scenectl", "shutdown", settings: settings)
    #expect(end.code == 0, "\(end.errors)")
    #expect(try run("scenectl", "shutdown", settings: settings).code == 69)
  }

  @Test("a wrong line is an error of every program", arguments: ["scened", "scene", "scenectl"])
  func wrongLine(program: String) throws {
    let outcome = try run(program, settings: "opener kitty\n")
    #expect(outcome.code == 78)
    #expect(
      outcome.errors.contains(
        "config, line 1: expected NAME = VALUE, found \"opener kitty\""), "\(outcome.errors)")
    #expect(try run(program, "--version", settings: "opener kitty\n").code == 0)
  }
}
