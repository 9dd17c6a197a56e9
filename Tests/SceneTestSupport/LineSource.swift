import ScenePlatform

/// What a program says, line by line.
///
/// It is read as it comes, on a thread of its own: no program ever waits for a test that does not
/// listen.
final class LineSource {
  private let what: String
  private let lines = Monitor(Lines())
  private var taken = 0

  private struct Lines: Sendable {
    var whole: [String] = []
    var isAtEnd = false
  }

  private enum Found: Sendable {
    case line(String)
    case end
  }

  init(_ descriptor: consuming FileDescriptor, of what: String) throws {
    self.what = what
    let input = Input(descriptor)
    // It ends with the last process that could still write.
    _ = try Thread("lines") { [lines] in
      var begun: ContiguousArray<UInt8> = []
      while input.read(appendingTo: &begun) {
        let whole = begun.takeLines()
        lines.withLock { $0.whole += whole }
      }
      let rest = begun.isEmpty ? [] : [String(decoding: begun, as: UTF8.self)]
      lines.withLock { lines in
        lines.whole += rest
        lines.isAtEnd = true
      }
    }
  }

  /// The next line without its end; nil at the end.
  func next() throws -> String? {
    let place = taken
    let found = lines.wait(until: SystemClock.monotonic() + ceiling) { lines -> Found? in
      if place < lines.whole.count { return .line(lines.whole[place]) }
      return lines.isAtEnd ? .end : nil
    }
    switch found {
    case .line(let line):
      taken += 1
      return line
    case .end: return nil
    case nil: throw Unmet("nothing came from \(what); it had said:\n\(said)")
    }
  }

  /// Everything that has come.
  var said: String { lines.withLock { $0.whole.map { $0 + "\n" }.joined() } }
}

private final class Input: Sendable {
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
  fileprivate mutating func takeLines() -> [String] {
    var parts = split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    self = ContiguousArray(parts.removeLast())
    return parts.map { String(decoding: $0, as: UTF8.self) }
  }
}
