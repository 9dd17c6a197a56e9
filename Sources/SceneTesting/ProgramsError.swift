import SceneCommandLine

/// A program was not found.
package struct ProgramsError: Error, CustomStringConvertible {
  package let name: String
  package let places: [String]

  package var description: String {
    """
    program \(name) not found; add it to the dependencies of the test target, or set \
    SCENE_PROGRAMS to the directory of scened, scene and scenectl. Searched directories:
    \(places.map { "  " + PlainText.escaped($0) }.joined(separator: "\n"))
    """
  }
}
