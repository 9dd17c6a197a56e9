import ScenePlatform
import SceneScript

/// The output of a program, line by line.
struct LineSource {
  private let what: String
  private let lines: LineBuffer
  private var taken = 0

  init(_ lines: LineBuffer, of what: String) {
    self.lines = lines
    self.what = what
  }

  /// The next line without its line end; nil at the end of the output.
  mutating func next() throws -> String? {
    switch lines.line(at: taken, until: SystemClock.monotonic() + ceiling) {
    case .line(let line):
      taken += 1
      return String(decoding: line, as: UTF8.self)
    case .end: return nil
    case nil: throw Unmet("no more output from \(what); so far:\n\(said)")
    }
  }

  /// All output so far.
  var said: String { lines.text }
}
