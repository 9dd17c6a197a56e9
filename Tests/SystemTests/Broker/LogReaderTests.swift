import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// A reader of the broker's log must not be able to stop the broker.
struct LogReaderTests {
  /// A daemon that logs to a pipe, and the other end of the pipe.
  private final class LoggedDaemon {
    let workplace: Workplace
    let program: RunningProgram
    let lifetime: FileDescriptor
    var log: FileDescriptor?

    init() throws {
      workplace = try Workplace()
      var ready = try FileDescriptor.pipe()
      var lifetime = try FileDescriptor.pipe()
      var errors = try FileDescriptor.pipe()
      let reading = ready.takeFirst()
      let writing = ready.takeSecond()
      let childLifetime = lifetime.takeFirst()
      let childErrors = errors.takeSecond()
      program = try RunningProgram(
        "/bin/sh",
        [
          "-c", #"exec "$0" "$@" 2>&5"#, try Programs.path("scened"), "-S", workplace.socket,
          "--state", workplace.state, "--durability", "none", "--ready-fd", "3", "--leash-fd", "4",
          "--log-level", "debug",
        ],
        descriptors: [3: writing.number, 4: childLifetime.number, 5: childErrors.number])
      self.lifetime = lifetime.takeSecond()
      log = errors.takeFirst()
      writing.close()
      childLifetime.close()
      childErrors.close()
      guard try reading.waitReadable(nanoseconds: ceiling) else {
        throw Unmet("scened did not become ready")
      }
    }

    func client() throws -> WireClient {
      let client = try WireClient(socket: workplace.socket)
      try client.initialize()
      return client
    }

    /// Saves until the log lines are longer than a pipe.
    func saveOften(_ client: WireClient) throws {
      let session = try client.request(SceneConnect(name: "packing")).session
      for number in 0..<3000 {
        _ = try client.request(SaveActivity(session: session, activity: .numbered(number)))
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
    let first = drain(log)
    try daemon.program.send(.terminate)
    #expect(try daemon.program.reap() == .exited(0))
    let rest = drain(log)
    #expect(first.hasPrefix("scened: ") && !first.contains("are lost"))
    #expect(rest.contains("scened: warning: lost log lines: "))
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
    try daemon.program.send(.terminate)
    #expect(try daemon.program.reap() == .exited(0))
  }
}
