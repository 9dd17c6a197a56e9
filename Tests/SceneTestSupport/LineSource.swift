import ScenePlatform
import SceneScript

/// What a program says, line by line.
struct LineSource {
  private let what: String
  private let lines: LineBuffer
  private var taken = 0

  init(_ lines: LineBuffer, of what: String) {
    self.lines = lines
    self.what = what
  }

  /// The next line without its end; nil at the end.
  mutating func next() throws -> String? {
    switch lines.line(at: taken, until: SystemClock.monotonic() + ceiling) {
    case .line(let line):
      taken += 1
      return String(decoding: line, as: UTF8.self)
    case .end: return nil
    case nil: throw Unmet("nothing came from \(what); it had said:\n\(said)")
    }
  }

  /// Everything that has come.
  var said: String { lines.text }
}
