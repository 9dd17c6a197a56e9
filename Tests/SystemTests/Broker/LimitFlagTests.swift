import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

/// Limits of `--limit`: a client at the limit is accepted, and one past it is refused.
struct LimitFlagTests {
  @Test("a connection over the limit gets an error and is closed, until another connection ends")
  func connections() throws {
    let daemon = try Daemon(Workplace(), ["--limit", "connections=3"])
    var clients = try (0..<3).map { _ in try daemon.client() }
    let refused = try daemon.connect()
    guard case .error(nil, let error) = try refused.next() else {
      Issue.record("the broker did not refuse the connection")
      return
    }
    #expect(error.reason == .tooMany)
    #expect(error.retry == .later)
    #expect(try refused.next() == nil)
    clients.removeLast()
    // The broker detects the end of the connection later.
    try eventually("the broker accepts a connection again", polling: .broker) {
      let next = try daemon.connect()
      return (try? next.initialize()) != nil
    }
    _ = try clients[0].request(Ping())
  }

  private static let fewDescriptors = ["/bin/sh", "-c", #"ulimit -n 40 && exec "$0" "$@""#]

  @Test("three quarters of the descriptors that the broker does not need can be connections")
  func defaultConnections() throws {
    let daemon = try Daemon(Workplace(), wrapper: Self.fewDescriptors)
    let clients = try (0..<18).map { _ in try daemon.connect() }
    for client in clients { try client.initialize() }
    guard case .error(nil, let error) = try daemon.connect().next() else {
      Issue.record("the broker did not refuse the connection")
      return
    }
    #expect(error.reason == .tooMany)
    _ = try clients[0].request(Ping())
  }

  @Test(
    "the broker keeps descriptors for itself; other clients wait for those of a client that ends")
  func outOfDescriptors() throws {
    let daemon = try Daemon(
      Workplace(), ["--limit", "connections=1000"], wrapper: Self.fewDescriptors)
    var clients = try (0..<50).map { _ in try daemon.connect() }
    let initialize = Initialize(client: ClientName(name: "waiting", version: "1"), as: .scene)
    let asked = try clients.map { try $0.send(initialize) }
    try daemon.program.errorLine(
      containing: "the broker accepts no connections for now, and new clients wait")
    #if os(Linux)
      let open = try Directory.list("/proc/\(daemon.pid)/fd").count
      #expect(open < 40)
    #endif
    for index in asked.indices {
      _ = try clients.removeFirst().reply(to: asked[index], of: Initialize.self)
    }
    #expect(try daemon.stop().isSuccess)
  }

  @Test("a client accepts everything that its broker accepts, even over the default limit")
  func clientsLimits() throws {
    let daemon = try Daemon(Workplace(), ["--limit", "userInfoBytes=110000"])
    func userInfo(_ count: Int) -> String { #"{"x":"\#(String(repeating: "x", count: count))"}"# }
    let scene = try daemon.scene("packing", "--user-info", userInfo(100_000))
    defer { withExtendedLifetime(scene) {} }
    let refused = try daemon.run("scene", ["another", "--user-info", userInfo(120_000)])
    #expect(refused.code == 65)
    #expect(refused.errors == "scene: userInfo is larger than the limit of 110000 bytes\n")
  }

  @Test("the largest activity that the journal accepts returns after a restart")
  func largestActivity() throws {
    let most = 2_096_128
    let limits = ["frameBytes=16000000", "activityBytes=\(most)"]
    let workplace = try Workplace()
    let largest = Activity.filler(1, bytes: most - Activity.filler(1, bytes: 0).byteCount)
    #expect(largest.byteCount == most)
    for life in 1...2 {
      let daemon = try Daemon(workplace, limits.flatMap { ["--limit", $0] })
      let client = try daemon.client(as: .control)
      let scene = try client.request(SceneConnect(name: "packing"))
      if life == 1 {
        try client.save(largest, in: scene.session)
      }
      let shown = try client.request(SessionShow(session: scene.session))
      #expect(shown.sceneSession.stateRestorationActivity == largest)
      try daemon.kill()
    }
    let outcome = try start(
      ["frameBytes=16000000", "activityBytes=\(most + 1)"].flatMap { ["--limit", $0] })
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("activityBytes can need 2097153 bytes in the journal"))
  }

  private func start(_ options: [String]) throws -> Outcome {
    let workplace = try Workplace()
    defer { #expect((try? Directory.list(workplace.path))?.isEmpty == true) }
    return try RunningProgram.run("scened", workplace.words + options)
  }

  @Test(
    "a time of --budget is from a millisecond to a year, and names a callback",
    arguments: [
      ("default=1us", "expected a time from 1ms to 8760h, such as 5s, found"),
      ("default=8761h", "expected a time from 1ms to 8760h, such as 5s, found"),
      ("x=5s", "unknown callback x; the callbacks are "),
    ])
  func budget(value: String, message: String) throws {
    let outcome = try start(["--budget", value])
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(message))
  }

  @Test(
    "an unknown limit or a wrong value is an error of the command line",
    arguments: [
      ("nonsense=1", "--limit: unknown limit nonsense; the limits are "),
      ("sessions", "expected NAME=VALUE"),
      ("sessions=x", "expected a whole number from 1 to 10000000, found \"x\""),
      ("frameBytes=1", "from 1024 to 16777215"),
      ("handshakeSeconds=10000000000", "from 1 to 31536000"),
      ("unsyncedBytes=17179869184", "from 0 to 67108864"),
      ("frameBytes=10240", "snapshotBytes, titleBytes and predicateBytes can need"),
      ("activityBytes=1000000", "but frameBytes is 1048576"),
    ])
  func usage(limit: String, message: String) throws {
    let outcome = try start(["--limit", limit])
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }
}
