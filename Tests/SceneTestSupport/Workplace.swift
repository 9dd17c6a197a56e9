import ScenePlatform
import SceneTesting

/// A private directory for one test, which is deleted with the test.
package final class Workplace {
  package let path: String

  package init() throws { path = try Directory.makeTemporary(prefix: "scene-test") }

  deinit { try? Directory.removeTree(path) }

  package var socket: String { path + "/sock" }
  package var state: String { path + "/state" }

  package func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file.
  package func write(_ name: String, _ text: String) throws -> String {
    let file = try File.open(self.file(name), [.write, .create, .truncate])
    try file.write(text)
    return self.file(name)
  }

  package func read(_ name: String) throws -> String {
    String(decoding: try File.read(file(name), limit: 1 << 26), as: UTF8.self)
  }

  /// The options of a broker in this directory.
  package var words: [String] { ["-S", socket, "--state", state] }

  /// Runs a `scened` here that is expected to fail.
  package func scened(_ options: String...) throws -> Outcome {
    try RunningProgram.run("scened", words + options)
  }

  /// Starts a `scened` here. With `--leash-fd 0` it ends with its input.
  package func startScened(
    _ options: String..., environment: [String: String] = [:], descriptors: [Int32: Int32] = [:]
  ) throws -> RunningProgram {
    try RunningProgram(
      "scened", words + options, environment: environment, descriptors: descriptors)
  }
}

/// The programs of this package: those that `$SCENE_PROGRAMS` names, or those that were built with
/// the tests.
package enum Programs {
  package static let areInstalled = Environment["SCENE_PROGRAMS"]?.isEmpty == false

  /// The path of a program of the package, of the tests, or of the system.
  package static func path(_ name: String) throws -> String {
    if ["scened", "scene", "scenectl", "scenehandoff"].contains(name) {
      return try SceneTesting.Programs.path(name)
    }
    let built = SceneTesting.Programs.buildDirectories.map { "\($0)/\(name)" }
    return try built.first(where: File.exists) ?? Executable.find(name)
  }

  package static func directory() throws -> String { try SceneTesting.Programs.directory() }

  /// The directory of the modules, and of the programs that are never installed.
  package static func buildDirectory() throws -> String {
    Directory.parent(of: try path("scene-bench")) ?? "."
  }

  /// A value of `$PATH` that finds these programs first.
  package static func searchPath() throws -> String {
    "\(try directory()):\(try buildDirectory()):\(Environment["PATH"] ?? "/usr/bin:/bin")"
  }

  /// Whether `$PATH` has a program.
  package static func isInstalled(_ name: String) -> Bool { (try? Executable.find(name)) != nil }
}
