import SceneCommandLine
import ScenePlatform
package import SceneScript

/// The paths of the programs that a test starts.
///
/// `$SCENE_PROGRAMS` names their directory. Without this variable, the search begins in the build
/// directory of the tests and continues in `$PATH`.
package enum Programs {
  /// The directory of `scened`, `scene` and `scenectl`.
  package static func directory() throws(StepFailure) -> String {
    let path = try path("scened")
    guard let directory = Directory.parent(of: path) else { return "." }
    for name in ["scene", "scenectl"] where !File.exists("\(directory)/\(name)") {
      throw missing(name, in: [directory])
    }
    return directory
  }

  package static func path(_ name: String) throws(StepFailure) -> String {
    let places = places
    for location in places where File.exists("\(location)/\(name)") { return "\(location)/\(name)" }
    throw missing(name, in: places)
  }

  private static func missing(_ name: String, in places: [String]) -> StepFailure {
    .unrunnable(
      """
      program \(name) not found; add it to the dependencies of the test target, or set \
      SCENE_PROGRAMS to the directory of scened, scene and scenectl. Searched directories:
      \(places.map { "  " + PlainText.escaped($0) }.joined(separator: "\n"))
      """)
  }

  private static var places: [String] {
    if let named = Environment["SCENE_PROGRAMS"], !named.isEmpty { return [named] }
    let path = (Environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (buildDirectories + path).reduce(into: []) { places, location in
      if !places.contains(location) { places.append(location) }
    }
  }

  /// The directories where the build of the tests can have programs.
  package static var buildDirectories: [String] {
    // `swift test` runs a helper of the toolchain that loads the tests; its arguments name them.
    let tests =
      [try? Executable.current()].compactMap { $0 }
      + CurrentProcess.words.map { String(decoding: $0, as: UTF8.self) }
    let paths = tests.filter { $0.hasPrefix("/") }
    return paths.compactMap { Directory.parent(of: $0) }.flatMap { directory in
      [directory, Directory.parent(of: directory) ?? directory]
    }
  }
}
