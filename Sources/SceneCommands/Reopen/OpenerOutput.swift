import SceneCommandLine
import ScenePlatform

/// The output of an opener, in a file without a name. A terminal can print after this process has
/// ended, so a pipe would end the terminal.
struct OpenerOutput: ~Copyable {
  private let file: FileDescriptor

  var number: Int32 { file.number }

  init() throws(SystemError) {
    let path = Directory.newTemporary()
    let file = try File.open(path, [.read, .write, .create, .exclusive, .append])
    try File.remove(path)
    self.file = file
  }

  private static let lineCount = 3
  private static let byteLimit = 1 << 20

  var text: String {
    let bytes = try? file.read(at: 0, count: Self.byteLimit)
    return bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The last lines that are not empty, as one text; nil if there are none.
  var lastLines: String? {
    let lines = text.split(whereSeparator: \.isNewline)
    guard !lines.isEmpty else { return nil }
    return lines.suffix(Self.lineCount).map { PlainText.escaped(String($0)) }.joined(
      separator: "; ")
  }
}
