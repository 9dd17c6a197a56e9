package import ScenePlatform

/// The output of a process, split into lines.
///
/// A separate thread reads the pipe, so a process never blocks because the script is busy.
package final class LineBuffer: Sendable {
  private let content = ConditionMutex(Content())

  private struct Content: Sendable {
    var lines: [ContiguousArray<UInt8>] = []
    var isAtEnd = false
  }

  package enum Next: Sendable {
    case line(ContiguousArray<UInt8>)
    case end
  }

  package init(_ descriptor: consuming FileDescriptor) throws(SystemError) {
    let source = SharedDescriptor(descriptor)
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

  /// Waits for the line with this index; nil at the deadline.
  package func line(at location: Int, until deadline: Int64) -> Next? {
    content.wait(until: deadline) { content in
      if location < content.lines.count { return .line(content.lines[location]) }
      return content.isAtEnd ? .end : nil
    }
  }

  /// Waits until the output has ended, or until the deadline.
  package func waitForEnd(until deadline: Int64) {
    _ = content.wait(until: deadline) { $0.isAtEnd ? true : nil }
  }

  /// All lines so far.
  package var text: String {
    content.withLock { $0.lines.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined() }
  }
}

extension SharedDescriptor {
  /// Waits for more bytes; false at the end of the output.
  fileprivate func read(appendingTo bytes: inout ContiguousArray<UInt8>) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { room in
      guard let count = try? descriptor.read(into: room), count > 0 else { return false }
      bytes += room[..<count]
      return true
    }
  }
}

extension ContiguousArray<UInt8> {
  /// Removes the complete lines.
  fileprivate mutating func takeLines() -> [ContiguousArray<UInt8>] {
    var parts = split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    self = ContiguousArray(parts.removeLast())
    return parts.map { ContiguousArray($0) }
  }
}
