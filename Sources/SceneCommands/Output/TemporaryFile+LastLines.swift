import SceneCommandLine
import ScenePlatform

extension TemporaryFile {
  /// The last lines that are not empty, as one text; nil if there are none.
  var lastLines: String? {
    let lines = text.split(whereSeparator: \.isNewline)
    guard !lines.isEmpty else { return nil }
    return lines.suffix(Self.lineCount).map { PlainText.escaped(String($0)) }.joined(
      separator: "; ")
  }

  private static var lineCount: Int { 3 }
}
