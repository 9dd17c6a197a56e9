import SceneHandoff
import ScenePlatform
import SceneTestSupport
import Testing

/// Members of etcd that a test starts, if etcd is installed.
final class EtcdServer {
  static let program = Environment["ETCD"] ?? (try? Executable.find("etcd"))

  let ports: [UInt16]
  private let directory: String
  private let arguments: [String]
  private var members: [RunningProgram?]

  init(_ arguments: [String] = [], members count: Int = 1) throws {
    directory = try Directory.makeTemporary(prefix: "scene-etcd")
    let first = UInt16.random(in: 20_000..<60_000)
    ports = (0..<UInt16(count)).map { first + 2 * $0 }
    self.arguments = arguments
    members = Array(repeating: nil, count: count)
    for number in 0..<count { try start(number) }
  }

  var port: UInt16 { ports[0] }

  private func peer(_ number: Int) -> String { "http://127.0.0.1:\(ports[number] + 1)" }

  func start(_ number: Int) throws {
    let url = "http://127.0.0.1:\(ports[number])"
    let cluster = ports.indices.map { "m\($0)=\(peer($0))" }.joined(separator: ",")
    members[number] = try RunningProgram(
      try #require(Self.program),
      [
        "--name", "m\(number)", "--data-dir", "\(directory)/\(number)",
        "--listen-client-urls", url, "--advertise-client-urls", url,
        "--listen-peer-urls", peer(number), "--initial-advertise-peer-urls", peer(number),
        "--initial-cluster", cluster, "--log-level", "error",
      ] + arguments)
  }

  func kill(_ number: Int) throws {
    try members[number]?.kill()
    members[number] = nil
  }

  func send(_ signal: Signal, to number: Int) throws { try members[number]?.send(signal) }

  deinit {
    members = []
    try? Directory.removeTree(directory)
  }

  /// Connects to a member when it is ready.
  func link(as user: EngineUser? = nil, to number: Int = 0) throws -> TestLink {
    var link: TestLink?
    try eventually("etcd is ready", polling: .processes) {
      link = try? TestLink(
        EngineLink(to: .network(host: "127.0.0.1", port: ports[number]), as: user))
      return link != nil
    }
    return try #require(link)
  }
}

/// A link whose replies a test awaits.
final class TestLink {
  private let link: EngineLink
  private var number: UInt64 = 0
  private var events: [AgentEvent] = []

  init(_ link: EngineLink) throws {
    self.link = link
    guard case .opened = try next(where: { _ in true }) else { throw Unmet("no status") }
  }

  func send(_ request: EngineRequest) throws -> EngineReply {
    number += 1
    try link.send(number, request)
    guard
      case .engineReply(_, let reply) = try next(where: {
        if case .engineReply = $0 { true } else { false }
      })
    else { throw Unmet("no reply") }
    return reply
  }

  func put(_ key: String, _ value: String, if revision: Int64 = 0, lease: Int64 = 0) throws
    -> EngineReply
  {
    try send(
      .transaction(
        EngineTransaction(
          if: [key: revision], [.put(key, ContiguousArray(value.utf8), lease: lease)], reads: [key])
      ))
  }

  func watch(_ prefix: String, after revision: Int64) throws {
    try link.send(0, .watch(prefix: prefix, after: revision))
  }

  func changes() throws -> [EngineChange] {
    guard
      case .changed(let changes) = try next(where: { if case .changed = $0 { true } else { false } }
      )
    else { throw Unmet("no change") }
    return changes
  }

  private func next(where isWanted: (AgentEvent) -> Bool) throws -> AgentEvent {
    while true {
      if let index = events.firstIndex(where: isWanted) { return events.remove(at: index) }
      let poller = try Poller()
      for (number, interest) in link.descriptors {
        try poller.add(number, token: 0, interest: interest)
      }
      var ready = ContiguousArray<PollEvent>()
      try poller.wait(nanoseconds: EngineLink.loginTimeout, into: &ready)
      events += try link.process()
    }
  }
}

@Suite(
  "The operations of etcd",
  .enabled(if: EtcdServer.program != nil, "skipped: no etcd in $PATH or $ETCD"))
struct EtcdTests {
  @Test("a transaction happens if its conditions hold, and reads in both cases")
  func transaction() throws {
    let server = try EtcdServer()
    let link = try server.link()
    guard case .transaction(true, let values, let revision) = try link.put("/a/x", "1") else {
      throw Unmet("not written")
    }
    #expect(values == [EngineValue(key: "/a/x", value: ["1".utf8.first!], revision: revision)])
    #expect(try link.put("/a/x", "2") == .transaction(succeeded: false, values, revision: revision))
    #expect(try link.send(.read(prefix: "/a/")) == .values(values, revision: revision))
    #expect(try link.send(.read(prefix: "/b/")) == .values([], revision: revision))
    // The value fits etcd's limit, and arrives in many pieces.
    let long = String(repeating: "long", count: 300_000)
    #expect(
      try link.put("/a/y", long)
        == .transaction(
          succeeded: true,
          [EngineValue(key: "/a/y", value: ContiguousArray(long.utf8), revision: revision + 1)],
          revision: revision + 1))
  }

  @Test("a watch reports changes after a revision, also the end of a lease")
  func watch() throws {
    let server = try EtcdServer()
    let link = try server.link()
    guard case .transaction(_, _, let first) = try link.put("/a/x", "1") else {
      throw Unmet("not written")
    }
    guard case .lease(let lease) = try link.send(.grantLease(seconds: 1)) else {
      throw Unmet("no lease")
    }
    #expect(try link.put("/b/x", "1", lease: lease) != .full)
    try link.watch("/", after: first)
    #expect(
      try link.changes()
        == [.put(EngineValue(key: "/b/x", value: ["1".utf8.first!], revision: first + 1))])
    #expect(
      try link.changes()
        == [.delete("/b/x", revision: first + 2)])
    #expect(try link.send(.renewLease(lease)) == .leaseExpired)
    try link.watch("/a/", after: first - 1)
    #expect(try link.changes().count == 1)
  }

  @Test("a full database refuses a change, and the link stays open")
  func full() throws {
    let server = try EtcdServer(["--quota-backend-bytes", "100000"])
    let link = try server.link()
    let value = String(repeating: "v", count: 100_000)
    var reply = try link.put("/a", value)
    for number in 0..<20 where reply != .full { reply = try link.put("/\(number)", value) }
    #expect(reply == .full)
    #expect(try link.send(.read(prefix: "/nothing")) != .full)
  }

  @Test(
    "a user changes only its own keys",
    .enabled(if: Programs.isInstalled("etcdctl"), "skipped: no etcdctl in $PATH"))
  func authentication() throws {
    let server = try EtcdServer()
    _ = try server.link()
    for words in [
      ["user", "add", "root:root"], ["user", "grant-role", "root", "root"],
      ["user", "add", "ada:secret"], ["role", "add", "ada"],
      ["role", "grant-permission", "ada", "--prefix=true", "readwrite", "/scene/ada/"],
      ["user", "grant-role", "ada", "ada"], ["auth", "enable"],
    ] {
      let outcome = try RunningProgram.run(
        "etcdctl", ["--endpoints", "127.0.0.1:\(server.port)"] + words,
        environment: ["ETCDCTL_API": "3"])
      #expect(outcome.code == 0, "\(words): \(outcome.errors)")
    }
    let ada = try server.link(as: EngineUser(name: "ada", password: "secret"))
    guard case .transaction(true, _, _) = try ada.put("/scene/ada/x", "1") else {
      throw Unmet("not written")
    }
    #expect(throws: EngineError.denied("etcdserver: permission denied")) {
      try ada.put("/scene/bob/x", "1")
    }
    let error = #expect(throws: EngineError.self) {
      let user = EngineUser(name: "ada", password: "wrong")
      _ = try TestLink(EngineLink(to: .network(host: "127.0.0.1", port: server.port), as: user))
    }
    #expect(error?.description.contains("check --credentials") == true, "\(error as Any)")
    #expect(throws: EngineError.notAuthenticated) {
      try server.link().put("/scene/ada/x", "2")
    }
  }

  @Test("another server is refused with the reason")
  func notEtcd() throws {
    let server = try EtcdServer()
    _ = try server.link()
    let error = #expect(throws: EngineError.self) {
      // The port for members answers with text.
      _ = try TestLink(EngineLink(to: .network(host: "127.0.0.1", port: server.port + 1)))
    }
    #expect(error?.description.contains("HTTP status 404") == true, "\(error as Any)")
    let refused = #expect(throws: EngineError.self) {
      _ = try EngineLink(to: .network(host: "127.0.0.1", port: 1))
    }
    #expect(refused?.description == "connect 127.0.0.1:1: Connection refused")
  }
}
