/// The input or output of another program, in a file without a name. Its processes can keep it open
/// after this process has ended; a pipe would end them or delay this process.
package final class TemporaryFile: Sendable {
  private let file: FileDescriptor

  package var number: Int32 { file.number }

  package init(_ content: ContiguousArray<UInt8> = []) throws(SystemError) {
    file = try Self.openWithoutName()
    // Keeps the position of the child at the start.
    try file.write(content.span.bytes, at: 0)
  }

  /// A file in memory where the system has them, for a process that can reach few directories.
  package init(inMemory content: ContiguousArray<UInt8>) throws(SystemError) {
    file = try Self.openInMemory()
    try file.write(content.span.bytes, at: 0)
  }

  static func openWithoutName() throws(SystemError) -> FileDescriptor {
    let path = Directory.newTemporary()
    let file = try File.open(path, [.read, .write, .create, .exclusive, .append])
    try File.remove(path)
    return file
  }

  private static let byteLimit = 1 << 20

  package var byteCount: Int64 { (try? file.status().size) ?? 0 }

  package func bytes(limit: Int) throws(SystemError) -> ContiguousArray<UInt8> {
    try file.read(at: 0, count: limit)
  }

  package var text: String {
    let bytes = try? bytes(limit: Self.byteLimit)
    return bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
