import SceneJournal
import SceneServer
import SceneTestSupport
import Testing

@testable import ScenePlatform

@Suite("The progress of a start")
struct StartProgressTests {
  private let time = ConditionMutex<Int64>(0)

  private func progress(_ percent: Int) -> JournalProgress {
    JournalProgress(byteCount: percent << 20, totalByteCount: 100 << 20)
  }

  private func text(_ percent: Int) -> String {
    "STATUS=Reading the journal: \(percent)% (\(percent) of 100 MiB)\n"
      + "EXTEND_TIMEOUT_USEC=30000000"
  }

  private func read(_ socket: borrowing FileDescriptor) -> String? {
    var bytes = ContiguousArray<UInt8>(repeating: 0, count: 4096)
    let outcome = bytes.withUnsafeMutableBytes { socket.receive(into: $0) }
    guard case .bytes(let count) = outcome else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  @Test("a long start sends a status and more time to the supervisor, once a second at most")
  func supervisor() throws {
    let workplace = try Workplace()
    let path = workplace.file("notify")
    let socket = try UnixSocket.makeDatagram()
    try UnixSocket.bind(
      socket, to: UnixSocketAddress(path: path, for: "bind"), path: path, mode: 0o600)
    try socket.setNonblocking()
    let time = self.time
    let start = StartProgress(
      line: nil, delay: 500, interval: 1000, clock: { time.withLock { $0 } },
      notify: { _ = try? Supervisor.notify($0, environment: ["NOTIFY_SOCKET": path]) })
    for (now, percent) in [(499, 1), (500, 2), (1499, 3), (1500, 4)] {
      time.withLock { $0 = Int64(now) }
      start.report(progress(percent))
    }
    start.end()
    #expect(read(socket) == text(2))
    #expect(read(socket) == text(4))
    #expect(read(socket) == nil)
  }

  @Test("a long start draws a line that is erased before anything else is printed")
  func line() throws {
    let written = ConditionMutex("")
    let line = ProgressLine(
      delay: 0, interval: 0, columns: { 30 }, write: { text in written.withLock { $0 += text } })
    let start = StartProgress(line: line, notify: { _ in })
    start.report(progress(43))
    start.report(progress(44))
    start.end()
    start.report(progress(45))
    #expect(
      written.withLock { $0 } == "\rreading journal: 43% (43 of …\u{1B}[K"
        + "\rreading journal: 44% (44 of …\u{1B}[K\r\u{1B}[K")
  }
}
