import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

#if os(Linux)
  /// The system calls and allocations of the daemon for its requests. A C library between the
  /// daemon and the system counts them, so the counts are the same on every machine.
  @Suite(.preload)
  struct SystemCallTests {
    private let workplace: Workplace
    private let daemon: Daemon
    private let client: WireClient

    init() throws {
      workplace = try Workplace()
      let library = try PreloadedLibrary.compile(
        Repository.file("scripts/benchmark/calls.c"), in: workplace)
      daemon = try Daemon(
        workplace,
        environment: ["LD_PRELOAD": library, "CALL_COUNTS": workplace.file("calls")])
      client = try daemon.connect()
      try client.initialize(as: .control)
    }

    /// The numbers of calls, in the order in which the library writes them.
    private struct Calls {
      var counts: [Int]
      var receives: Int { counts[0] }
      var sends: Int { counts[1] }
      var waits: Int { counts[2] }
      var syncs: Int { counts[3] }
      var allocations: Int { counts[4] }
      var bytes: Int { counts[5] }
      var opens: Int { counts[6] }
      var references: Int { counts[7] }
      var fstats: Int { counts[8] }
    }

    /// The number of calls of each kind so far.
    private func calls() throws -> Calls {
      let bytes = try File.read(workplace.file("calls"))
      return Calls(
        counts: bytes.withUnsafeBytes { $0.bindMemory(to: UInt64.self).map { Int($0) } })
    }

    private func calls(for body: () throws -> Void) throws -> Calls {
      let before = try calls()
      try body()
      return Calls(counts: zip(try calls().counts, before.counts).map { $0 - $1 })
    }

    /// Sends all requests at once, and waits for the same number of replies.
    @discardableResult
    private func ask(_ texts: [String]) throws -> [RawJSON] {
      try send(texts, from: client)
      return try texts.map { _ in try reply(to: client) }
    }

    private func send(_ texts: [String], from client: WireClient) throws {
      let frames = texts.map { text in
        [0, 0, UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 255)] + Array(text.utf8)
      }
      try client.send(bytes: frames.joined())
    }

    private func reply(to client: WireClient) throws -> RawJSON {
      let message = try client.first { message in
        switch message {
        case .reply, .error: true
        case .callback, .notification: false
        }
      }
      switch message {
      case .reply(_, let result): return result
      case .error(_, let error): throw error
      case .callback, .notification: preconditionFailure("no reply")
      }
    }

    /// Makes a session without a client, with a saved activity.
    private func makeSession() throws -> SessionIdentifier {
      let session = try client.request(SceneConnect(new: true)).session
      _ = try client.request(SceneDisconnect(session: session))
      try ask([save(0, of: session)])
      return session
    }

    private func save(
      _ number: Int, of session: SessionIdentifier, text: String = ""
    ) -> String {
      #"{"jsonrpc":"2.0","id":1,"method":"session/saveActivity","params":{"session":"\#(session)","#
        + #""activity":{"activityType":"a","userInfo":{"n":\#(number),"text":"\#(text)"}}}}"#
    }

    @Test("a request costs one receive, one send and one wait")
    func request() throws {
      let calls = try calls { for _ in 1...100 { _ = try client.request(Ping()) } }
      #expect(calls.receives == 100)
      #expect(calls.sends == 100)
      // The daemon can wait once more before the count is read, and a timer can expire.
      #expect(calls.waits <= 105)
      // Sixteen allocations for each request, because tests are built without optimization.
      #expect(calls.allocations <= 1700)
      #expect(calls.syncs <= 1)
    }

    #if arch(x86_64)
      @Test("a request and a save cost a known number of reference-count operations")
      func references() throws {
        let session = try makeSession()
        let show =
          #"{"jsonrpc":"2.0","id":1,"method":"session/show","params":{"session":"\#(session)"}}"#
        let shows = try calls { for _ in 1...100 { try ask([show]) } }
        let saves = try calls { for number in 1...100 { try ask([save(number, of: session)]) } }
        // Tests are built without optimization; a release needs a twentieth. The limits are a
        // tenth above the counts. Lower the limits when the counts fall.
        #expect(shows.references <= 100 * 1480)
        #expect(saves.references <= 100 * 2980)
      }
    #endif

    @Test("the broker reads the start time of a process only when the process becomes a holder")
    func startTime() throws {
      let other = try daemon.connect()
      let calls = try calls {
        try other.initialize(as: .control)
        _ = try other.request(Ping())
      }
      #expect(calls.opens == 0)
      let hold = try self.calls { _ = try other.request(SceneConnect(new: true)) }
      #expect(hold.opens >= 1)
    }

    @Test("a client that does not read causes no waits, and the broker detects its end")
    func deafClient() throws {
      var deaf: WireClient? = try daemon.connect()
      try deaf?.initialize(as: .control)
      let text = #"{"jsonrpc":"2.0","id":1,"method":"broker/describe"}"#
      let frame = [0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8)
      try deaf?.send(bytes: (0..<1500).map { _ in frame }.joined())
      // After its socket is full and 64 KiB more wait, the broker reads no more of its requests.
      for _ in 1...100 { _ = try client.request(Ping()) }
      let calls = try calls { for _ in 1...100 { _ = try client.request(Ping()) } }
      #expect(calls.waits <= 105)
      #expect(calls.receives == 100)
      #expect(try client.request(ApplicationStatus()).connections == 2)
      deaf = nil
      // A test beside this one can hold a copy of the descriptor until its new process executes.
      try eventually("the broker detects the end", polling: .broker) {
        try client.request(ApplicationStatus()).connections == 1
      }
    }

    @Test("an iteration accepts eight connections, however many wait")
    func storm() throws {
      try daemon.program.send(.stop)
      try daemon.program.awaitStop()
      let before = try calls()
      let open = try #require(OpenDescriptors(of: daemon.pid))
      let clients = try (1...40).map { _ in try daemon.connect() }
      try daemon.program.send(.continue)
      try eventually("the broker has accepted all clients", polling: .procFiles) {
        // The stopped broker can have a file open for a moment, so only sockets count.
        OpenDescriptors(of: daemon.pid)?.excess(over: open).contains("\(clients.count) sockets")
          == true
      }
      let waits = try calls().waits - before.waits
      #expect((clients.count / 8...15).contains(waits), "\(waits)")
    }

    @Test("requests that arrive together cost as much as one")
    func together() throws {
      let ping = #"{"jsonrpc":"2.0","id":1,"method":"broker/ping"}"#
      let calls = try calls { try ask(Array(repeating: ping, count: 100)) }
      #expect(calls.receives == 1)
      #expect(calls.sends == 1)
    }

    private func request(_ method: String, _ params: String) -> String {
      #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
    }

    /// Creates sessions and disconnects their scenes, in groups of the size that one connection can
    /// hold.
    private func makeSessions(_ count: Int) throws {
      let document = JSONDocument()
      for start in stride(from: 0, to: count, by: 250) {
        let connects = Array(
          repeating: request("scene/connect", #"{"new":true}"#), count: min(250, count - start))
        let disconnects = try ask(connects).map { reply in
          try document.read(reply.bytes.span)
          let session = try SceneConnect.Reply(reading: document.root).session
          return request("scene/disconnect", #"{"session":"\#(session)"}"#)
        }
        try ask(disconnects)
      }
    }

    @Test(
      "250 sessions allocate as much memory after 10,000 sessions as after 100",
      Sanitizer.changes("replaces malloc"))
    func manySessions() throws {
      try makeSessions(100)
      let few = try calls { try makeSessions(250) }
      try makeSessions(9650)
      let many = try calls { try makeSessions(250) }
      // With a copy of one table of all sessions for each entry of the trace, it would be 20 times
      // as much.
      #expect(many.bytes < 2 * few.bytes, "\(few.bytes), then \(many.bytes)")
      #expect(many.allocations < few.allocations * 3 / 2, "\(few), then \(many)")
    }

    // After a read of its times, Linux gives a file a new time at the next write, and some file
    // systems write the inode at each sync.
    @Test("a save does not read the times of its log")
    func times() throws {
      let session = try makeSession()
      let calls = try calls { for number in 1...10 { try ask([save(number, of: session)]) } }
      #expect(calls.fstats == 0)
    }

    @Test("saves that arrive together are one sync and one send")
    func saves() throws {
      let session = try makeSession()
      let one = try calls { try ask([save(1, of: session)]) }
      let many = try calls { try ask((2...40).map { save($0, of: session) }) }
      for calls in [one, many] {
        #expect(calls.receives == 1)
        #expect(calls.sends == 1)
        // An idle journal syncs once more, to mark its end as complete.
        #expect(1...2 ~= calls.syncs)
      }
      #expect(many.allocations <= 39 * 50)
    }

    @Test("saves of a KiB from many clients that arrive together are read together")
    func savesOfClients() throws {
      let text = String(repeating: "x", count: 1 << 10)
      let clients = try (1...32).map { _ in try daemon.connect() }
      let sessions = try clients.map { client in
        try client.initialize(as: .control)
        let session = try client.request(SceneConnect(new: true)).session
        _ = try client.request(SceneDisconnect(session: session))
        return session
      }
      let calls = try calls {
        try daemon.program.send(.stop)
        try daemon.program.awaitStop()
        for (client, session) in zip(clients, sessions) {
          try send([save(1, of: session, text: text)], from: client)
        }
        try daemon.program.send(.continue)
        for client in clients { _ = try reply(to: client) }
      }
      #expect(calls.receives == clients.count)
      // The end of each sync is one wait. An idle journal syncs once more, to mark its end as
      // complete.
      #expect(calls.waits <= 5)
      #expect(1...2 ~= calls.syncs)
    }
  }
#endif
