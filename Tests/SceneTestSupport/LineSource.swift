import ScenePlatform

/// Reads a descriptor line by line, waiting as long as it takes, up to the ceiling.
final class LineSource {
  private let descriptor: FileDescriptor
  private let what: String
  private var buffer: ContiguousArray<UInt8> = []
  private var isAtEnd = false
  /// Everything that was read, for whoever has to explain a failure.
  private(set) var said = ""

  init(_ descriptor: consuming FileDescriptor, of what: String) {
    self.descriptor = descriptor
    self.what = what
  }

  /// The next line without its end; nil at the end.
  func next() throws -> String? {
    while true {
      if let newline = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: buffer[..<newline], as: UTF8.self)
        buffer.removeFirst(newline + 1)
        said += line + "\n"
        return line
      }
      if isAtEnd { return takeRest() }
      try read()
    }
  }

  private func takeRest() -> String? {
    guard !buffer.isEmpty else { return nil }
    let line = String(decoding: buffer, as: UTF8.self)
    buffer.removeAll()
    said += line + "\n"
    return line
  }

  private func read() throws {
    guard try descriptor.waitReadable(nanoseconds: ceiling) else {
      throw Unmet("nothing came from \(what); it had said:\n\(said)")
    }
    let count = try withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { room in
      let count = try descriptor.read(into: room)
      buffer.append(contentsOf: room[..<count])
      return count
    }
    if count == 0 { isAtEnd = true }
  }
}
