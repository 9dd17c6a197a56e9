import ScenePlatform

/// Where a program reads what happens to its scene, one line for each thing.
///
/// Nobody waits for it: most programs never read. What it does not read is kept up to a limit, and
/// beyond that only counted.
final class EventPipe: Sendable {
  private struct Backlog {
    var bytes = ContiguousArray<UInt8>()
    var lostCount = 0
  }

  private let reading: FileDescriptor
  private let writing: FileDescriptor
  private let backlog = Monitor(Backlog())

  /// Bytes that wait beyond what the system takes. One line, with an activity in it, always fits.
  static let limit = 1 << 20

  init() throws(SystemError) {
    var pipe = try FileDescriptor.pipe()
    reading = pipe.takeFirst()
    writing = pipe.takeSecond()
    try writing.setNonblocking()
  }

  /// For the program.
  var readingNumber: Int32 { reading.number }
  /// For the poller.
  var writingNumber: Int32 { writing.number }

  /// Whether something waits until there is room.
  var isBehind: Bool { backlog.withLock { !$0.bytes.isEmpty } }

  func send(_ lines: [String]) {
    backlog.withLock { backlog in
      for line in lines {
        guard backlog.bytes.count + line.utf8.count < Self.limit else {
          backlog.lostCount += 1
          continue
        }
        if backlog.lostCount > 0 {
          backlog.bytes += "{\"lost\":\(backlog.lostCount)}\n".utf8
          backlog.lostCount = 0
        }
        backlog.bytes += (line + "\n").utf8
      }
      write(&backlog)
    }
  }

  /// There is room.
  func goOn() { backlog.withLock { write(&$0) } }

  private func write(_ backlog: inout Backlog) {
    while !backlog.bytes.isEmpty {
      let outcome = backlog.bytes.withUnsafeBytes { writing.writeAvailable($0) }
      guard case .bytes(let count) = outcome else { return }
      backlog.bytes.removeFirst(count)
    }
  }
}
