import ScenePlatform
import Synchronization

/// The pipe from which a program reads the events of its scene, one line each.
///
/// The scene never waits for the program: most programs do not read. Unread events wait up to
/// `limit` bytes; further events are only counted.
final class EventPipe: Sendable {
  private struct Backlog: ~Copyable {
    /// The writing end; nil after the last event.
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
  /// The descriptor for the poller, until the end.
  let writingNumber: Int32

  /// The maximum number of waiting bytes. One line with an activity always fits.
  static let limit = 1 << 20

  init() throws(SystemError) {
    var pipe = try FileDescriptor.pipe()
    reading = pipe.takeFirst()
    let writing = pipe.takeSecond()
    try writing.setNonblocking()
    writingNumber = writing.number
    backlog = Mutex(Backlog(writing: writing))
  }

  /// The reading end, for the program.
  var readingNumber: Int32 { reading.number }

  /// Whether events wait for free space.
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

  /// Writes waiting events after the pipe has free space.
  func writeWaiting() { backlog.withLock { $0.write() } }

  /// Closes the pipe. The end of the file wakes a shell that waits for the next line.
  func end() {
    backlog.withLock { backlog in
      backlog.writing = nil
      backlog.bytes = []
    }
  }
}
