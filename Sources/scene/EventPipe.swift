import ScenePlatform
import Synchronization

/// Where a program reads what happens to its scene, one line for each thing.
///
/// Nobody waits for it: most programs never read. What it does not read is kept up to a limit, and
/// beyond that only counted.
final class EventPipe: Sendable {
  private struct Backlog: ~Copyable {
    /// Nil when there is nothing more to be read.
    var writing: FileDescriptor?
    var bytes = ContiguousArray<UInt8>()
    var lostCount = 0

    mutating func write() {
      while !bytes.isEmpty {
        guard let outcome = bytes.withUnsafeBytes({ writing?.writeAvailable($0) }) else {
          return bytes = []
        }
        guard case .bytes(let count) = outcome else { return }
        bytes.removeFirst(count)
      }
    }
  }

  private let reading: FileDescriptor
  private let backlog: Mutex<Backlog>
  /// For the poller, until the end.
  let writingNumber: Int32

  /// Bytes that wait beyond what the system takes. One line, with an activity in it, always fits.
  static let limit = 1 << 20

  init() throws(SystemError) {
    var pipe = try FileDescriptor.pipe()
    reading = pipe.takeFirst()
    let writing = pipe.takeSecond()
    try writing.setNonblocking()
    writingNumber = writing.number
    backlog = Mutex(Backlog(writing: writing))
  }

  /// For the program.
  var readingNumber: Int32 { reading.number }

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
      backlog.write()
    }
  }

  /// There is room.
  func goOn() { backlog.withLock { $0.write() } }

  /// Nothing more comes. A shell that was about to wait for the next line just when it was told to end
  /// hears of that in this way.
  func end() {
    backlog.withLock { backlog in
      backlog.writing = nil
      backlog.bytes = []
    }
  }
}
