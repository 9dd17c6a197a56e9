package import ScenePlatform

/// What a process says on a pipe, line by line. It is read as it comes, on a thread of its own: no
/// process ever waits for a script that does something else.
package final class SaidLines: Sendable {
  private let content = Monitor(Content())

  private struct Content: Sendable {
    var lines: [ContiguousArray<UInt8>] = []
    var isAtEnd = false
  }

  package enum Next: Sendable {
    case line(ContiguousArray<UInt8>)
    case end
  }

  package init(_ descriptor: consuming FileDescriptor) throws(SystemError) {
    let source = Source(descriptor)
    _ = try Thread("lines") { [content] in
      var begun: ContiguousArray<UInt8> = []
      while source.read(appendingTo: &begun) {
        let whole = begun.takeLines()
        if !whole.isEmpty { content.withLock { $0.lines += whole } }
      }
      let rest = begun.isEmpty ? [] : [begun]
      content.withLock { content in
        content.lines += rest
        content.isAtEnd = true
      }
    }
  }

  /// The line at a place; nil when the deadline came first.
  package func line(at place: Int, until deadline: Int64) -> Next? {
    content.wait(until: deadline) { content in
      if place < content.lines.count { return .line(content.lines[place]) }
      return content.isAtEnd ? .end : nil
    }
  }

  /// Returns when nothing more can come, or at the deadline.
  package func waitForEnd(until deadline: Int64) {
    _ = content.wait(until: deadline) { $0.isAtEnd ? true : nil }
  }

  /// All that it has said so far.
  package var text: String {
    content.withLock { $0.lines.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined() }
  }
}

private final class Source: Sendable {
  private let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

  /// Waits for more; false when nothing more can come.
  func read(appendingTo bytes: inout ContiguousArray<UInt8>) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { room in
      guard let count = try? descriptor.read(into: room), count > 0 else { return false }
      bytes += room[..<count]
      return true
    }
  }
}

extension ContiguousArray<UInt8> {
  /// Takes out the lines that are whole.
  fileprivate mutating func takeLines() -> [ContiguousArray<UInt8>] {
    var parts = split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    self = ContiguousArray(parts.removeLast())
    return parts.map { ContiguousArray($0) }
  }
}
