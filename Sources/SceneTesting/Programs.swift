import CommandLine
import ScenePlatform

/// Where the programs are that a test starts.
///
/// `$SCENE_PROGRAMS` names their directory; else it is the one the tests were built into, else the
/// first in `$PATH` that has them.
package enum Programs {
  /// The directory of `scened`, `scene` and `scenectl`.
  package static func directory() throws(ProgramsError) -> String {
    let path = try path("scened")
    guard let directory = Directory.parent(of: path) else { return "." }
    for name in ["scene", "scenectl"] where !File.exists("\(directory)/\(name)") {
      throw ProgramsError(name: name, places: [directory])
    }
    return directory
  }

  /// Where a program is.
  package static func path(_ name: String) throws(ProgramsError) -> String {
    let places = places
    for place in places where File.exists("\(place)/\(name)") { return "\(place)/\(name)" }
    throw ProgramsError(name: name, places: places)
  }

  private static var places: [String] {
    if let named = Environment["SCENE_PROGRAMS"], !named.isEmpty { return [named] }
    // `swift test` runs a helper of the toolchain that loads the tests; its arguments name them.
    let tests =
      [try? Executable.current()].compactMap { $0 }
      + CurrentProcess.words.map { String(decoding: $0, as: UTF8.self) }
    let beside = tests.compactMap { Directory.parent(of: $0) }.flatMap { directory in
      [directory, Directory.parent(of: directory) ?? directory]
    }
    let path = (Environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (beside + path).reduce(into: []) { places, place in
      if !places.contains(place) { places.append(place) }
    }
  }
}

/// A program that a test needs is nowhere.
package struct ProgramsError: Error, CustomStringConvertible {
  package let name: String
  package let places: [String]

  package var description: String {
    """
    there is no program \(name). It is looked for where $SCENE_PROGRAMS says, beside the tests, \
    and in $PATH. Build it there, by naming it among the dependencies of the test target, or set \
    SCENE_PROGRAMS to the directory of scened, scene and scenectl. There is none in:
    \(places.map { "  " + PlainText.escaped($0) }.joined(separator: "\n"))
    """
  }
}
