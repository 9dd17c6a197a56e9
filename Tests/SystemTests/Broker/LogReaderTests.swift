import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// A reader of the broker's log must not be able to stop the broker.
struct LogReaderTests {
  /// Runs a program whose standard error is descriptor 5.
  private static let onPipe = ["/bin/sh", "-c", #"exec "$0" "$@" 2>&5"#]

  /// Runs `scened -S SOCKET` with the log of a broker that a client starts.
  private static let onFile = ["/bin/sh", "-c", #"exec "$0" "$@" >>"$2.log" 2>&1"#]

  /// A daemon that logs to a pipe, and the other end of the pipe.
  private final class LoggedDaemon {
    let daemon: Daemon
    var log: FileDescriptor?
    private(set) var session: SessionIdentifier?

    init(_ wrapper: [String] = LogReaderTests.onPipe) throws {
      var errors = try FileDescriptor.pipe()
      let written = errors.takeSecond()
      daemon = try Daemon(
        Workplace(), ["--durability", "none"], wrapper: wrapper, descriptors: [5: written.number])
      log = errors.takeFirst()
    }

    func client() throws -> WireClient { try daemon.client() }

    func stop() throws { #expect(try daemon.stop() == .exited(0)) }

    /// Saves until the log lines are longer than the broker keeps for its reader.
    func saveOften(_ client: WireClient) throws {
      let name = String(repeating: "packing ", count: 20)
      let session = try session ?? client.request(SceneConnect(name: name)).session
      self.session = session
      for number in 0..<3000 {
        try client.save(.numbered(number), in: session)
      }
    }
  }

  @Test("a reader that stopped loses lines, and other programs lose no data")
  func stopped() throws {
    let daemon = try LoggedDaemon()
    let client = try daemon.client()
    try daemon.saveOften(client)
    guard let log = daemon.log.take() else { return }
    try log.setNonblocking()
    var shown = drain(log)
    #expect(shown.hasPrefix("scened: ") && !shown.contains("lost log lines"))
    // The next line reports the lost ones.
    let session = try #require(daemon.session)
    try eventually("the log has room", polling: .broker) {
      try client.save(.numbered(shown.count), in: session)
      shown += drain(log)
      return shown.contains("scened: warning: lost log lines: ")
    }
    try daemon.daemon.program.send(.terminate)
    var rest = ""
    try eventually("the end of the log", polling: .processes) {
      rest += drain(log)
      return rest.contains("scened: TERM: ending cleanly")
    }
    #expect(try daemon.daemon.program.reap() == .exited(0))
  }

  @Test("the log of a broker that a client starts has a limited size")
  func limitedSize() throws {
    let daemon = try LoggedDaemon(Self.onFile)
    let client = try daemon.client()
    let log = BrokerLog(besideSocket: daemon.daemon.socket)
    while !File.exists(log.previous) { try daemon.saveOften(client) }
    try daemon.stop()
    // The broker looks at the size after each 64 KiB, and keeps 256 KiB for a slow disk.
    #expect(try FileStatus(of: log.previous).size < BrokerLog.limit + 384 << 10)
    let rest = try String(decoding: File.read(log.path, limit: 1 << 22), as: UTF8.self)
    #expect(rest.contains("scened: TERM: ending cleanly"))
  }

  private func drain(_ log: borrowing FileDescriptor) -> String {
    var text = ""
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      while case .bytes(let count) = log.readAvailable(into: buffer) {
        text += String(decoding: buffer[..<count], as: UTF8.self)
      }
    }
    return text
  }

  @Test("a reader that exited does not stop the broker")
  func gone() throws {
    let daemon = try LoggedDaemon()
    daemon.log = nil
    let client = try daemon.client()
    try daemon.saveOften(client)
    try daemon.stop()
  }
}
