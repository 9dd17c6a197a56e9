import SceneCommandLine
import ScenePlatform

/// The input or output of a child, in a file without a name. Processes of the child can keep it
/// open after the child or this process has ended; a pipe would end them or delay this process.
final class TemporaryFile: Sendable {
  private let file: FileDescriptor

  var number: Int32 { file.number }

  init(_ content: ContiguousArray<UInt8> = []) throws(SystemError) {
    let path = Directory.newTemporary()
    file = try File.open(path, [.read, .write, .create, .exclusive, .append])
    try File.remove(path)
    // Keeps the position of the child at the start.
    try file.write(content.span.bytes, at: 0)
  }

  private static let lineCount = 3
  private static let byteLimit = 1 << 20

  var byteCount: Int64 { (try? file.status().size) ?? 0 }

  func bytes(limit: Int) throws(SystemError) -> ContiguousArray<UInt8> {
    try file.read(at: 0, count: limit)
  }

  var text: String {
    let bytes = try? bytes(limit: Self.byteLimit)
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
