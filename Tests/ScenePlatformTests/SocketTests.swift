import SceneTestSupport
import Testing

@testable import ScenePlatform

@Suite("Unix-domain sockets")
struct SocketTests {
  @Test("a client and a server exchange bytes over a path")
  func talk() throws {
    try withDirectory { directory in
      let path = "\(directory)/sock"
      let listener = try UnixSocket.listen(at: path)
      let status = try FileStatus(of: path)
      #expect(status.kind == .socket)
      #expect(status.mode == 0o600)
      #expect(try UnixSocket.accept(from: listener)?.number == nil)

      let client = try UnixSocket.connect(to: path)
      let poller = try Poller()
      try poller.add(listener.number, token: 0, interest: .readable)
      #expect(try events(of: poller).count == 1)
      let server = try #require(try UnixSocket.accept(from: listener)?.release())
      let serving = FileDescriptor(adopting: server)

      #expect(serving.receiveOutcome() == .wouldBlock)
      #expect(client.sendText("ping") == .bytes(4))
      #expect(try serving.waitReadable())
      #expect(serving.receiveText() == "ping")
      #expect(serving.sendText("pong") == .bytes(4))
      #expect(client.receiveText() == "pong")
      #expect(try serving.peerCredentials() == ownCredentials)
    }
  }

  private var ownCredentials: PeerCredentials {
    PeerCredentials(
      user: User.current, group: User.currentGroup, process: ProcessIdentity.currentPID)
  }

  @Test("a socket has its mode from the start at any umask", arguments: [0o600, 0o700])
  func mode(mode: UInt32) throws {
    try withDirectory { directory in
      _ = try UnixSocket.listen(at: "\(directory)/sock", mode: mode)
      #expect(try FileStatus(of: "\(directory)/sock").mode == mode)
    }
  }

  @Test("a missing socket and a socket without a listener have different errors")
  func refused() throws {
    try withDirectory { directory in
      let path = "\(directory)/sock"
      #expect(throws: SystemError(call: "connect", path: path, code: .notFound)) {
        _ = try UnixSocket.connect(to: path)
      }
      do { _ = try UnixSocket.listen(at: path) }
      #expect(throws: SystemError(call: "connect", path: path, code: .connectionRefused)) {
        _ = try UnixSocket.connect(to: path)
      }
      #expect(throws: SystemError(call: "bind", path: path, code: .addressInUse)) {
        _ = try UnixSocket.listen(at: path)
      }
    }
  }

  @Test("the error for a path that is no socket names the kind of file")
  func otherFiles() throws {
    try withDirectory { directory in
      let error = SystemError(
        call: "connect", path: directory, code: .notASocket, note: "found a directory, not a socket"
      )
      #expect(throws: error) { _ = try UnixSocket.connect(to: directory) }
      try File.write([], to: "\(directory)/file")
      let other = #expect(throws: SystemError.self) {
        _ = try UnixSocket.connect(to: "\(directory)/file")
      }
      #expect(other?.note == "found a regular file, not a socket")
    }
  }

  @Test("a connection to a full queue waits until the timeout")
  func noRoom() throws {
    try withDirectory { directory in
      let path = "\(directory)/sock"
      let listener = try UnixSocket.listen(at: path, backlog: 0)
      let first = try UnixSocket.connect(to: path)
      let error = #expect(throws: SystemError.self) {
        _ = try UnixSocket.connect(to: path, within: 1_000_000)
      }
      #expect(error?.isWouldBlock == true || error?.code == .connectionRefused)
      #expect(try UnixSocket.accept(from: listener) != nil)
      _ = try UnixSocket.connect(to: path)
      first.close()
    }
  }

  @Test("a socket reports its path")
  func place() throws {
    try withDirectory { directory in
      let listener = try UnixSocket.listen(at: "\(directory)/sock")
      #expect(UnixSocket.path(of: listener) == "\(directory)/sock")
    }
    var pair = try UnixSocket.pair()
    #expect(UnixSocket.path(of: pair.takeFirst()) == nil)
  }

  @Test("a path above the system's limit is an error with both lengths")
  func length() throws {
    let limit = UnixSocket.maximumPathLength
    try withDirectory { directory in
      let path = directory + "/" + String(repeating: "x", count: limit - directory.utf8.count - 1)
      let listener = try UnixSocket.listen(at: path)
      _ = try UnixSocket.connect(to: path)
      #expect(try UnixSocket.accept(from: listener) != nil)
      let error = #expect(throws: SystemError.self) { _ = try UnixSocket.connect(to: path + "y") }
      #expect(error?.code == .nameTooLong)
      #expect(
        error?.description.hasSuffix(
          "(the path of the socket has \(limit + 1) bytes; the limit is \(limit))") == true)
    }
    #expect(throws: SystemError.self) { _ = try UnixSocket.connect(to: "") }
  }

  @Test("only a socket with the given identity is removed")
  func removal() throws {
    try withDirectory { directory in
      let path = "\(directory)/sock"
      try UnixSocket.remove(at: path)
      _ = try UnixSocket.listen(at: path)
      let identity = try FileStatus(of: path).identity
      try UnixSocket.remove(at: path, ifStill: FileIdentity(device: 0, inode: 0))
      #expect(File.exists(path))
      try UnixSocket.remove(at: path, ifStill: identity)
      #expect(!File.exists(path))
      try File.write("precious".utf8, to: path)
      #expect(throws: SystemError.self) { try UnixSocket.remove(at: path) }
      #expect(File.exists(path))
    }
  }

  @Test("a socket pair has the credentials of this process")
  func pair() throws {
    var pair = try UnixSocket.pair()
    let left = pair.takeFirst()
    let right = pair.takeSecond()
    #expect(try left.peerCredentials() == ownCredentials)
    #expect(left.peerIdentity(of: ProcessIdentity.currentPID) == ProcessIdentity.current)
    #expect(right.sendText("") == .bytes(0))
    var pipe = try FileDescriptor.pipe()
    let reading = pipe.takeFirst()
    let error = #expect(throws: SystemError.self) { try reading.peerCredentials() }
    #expect(error?.call == "getpeereid")
  }

  @Test("sending to a closed peer fails and raises no signal")
  func brokenPipe() throws {
    var pair = try UnixSocket.pair()
    let left = pair.takeFirst()
    pair.takeSecond().close()
    #expect(left.sendText("hello?") == .failed(.brokenPipe))
    #expect(left.receiveOutcome() == .end)
  }

  @Test("a full socket would block and reports the accepted bytes")
  func full() throws {
    var pair = try UnixSocket.pair()
    let left = pair.takeFirst()
    let right = pair.takeSecond()
    try left.setNonblocking()
    let bytes = ContiguousArray<UInt8>(repeating: 1, count: 1 << 20)
    var sent = 0
    sending: while true {
      switch left.send(bytes.span.bytes) {
      case .bytes(let count): sent += count
      case .wouldBlock: break sending
      case .failed(let code):
        Issue.record("sending failed: \(code)")
        break sending
      }
    }
    left.close()
    #expect(sent > 0)
    #expect(try right.readToEnd().count == sent)
  }
}

@Suite("The service supervisor")
struct SupervisorTests {
  @Test("without a supervisor no message is sent")
  func absent() throws {
    #expect(try !Supervisor.notify("READY=1", environment: [:]))
    #expect(try !Supervisor.notify("READY=1", environment: ["NOTIFY_SOCKET": ""]))
    #expect(throws: SystemError.self) {
      try Supervisor.notify("READY=1", environment: ["NOTIFY_SOCKET": "/does/not/exist"])
    }
  }

  @Test("the supervisor passes a listening socket to the named process")
  func listening() throws {
    let pid = String(ProcessIdentity.currentPID)
    let take = { (environment: [String: String]) in
      try Supervisor.takeListeningSocket(environment: environment)?.number
    }
    #expect(try take([:]) == nil)
    #expect(try take(["LISTEN_FDS": "1"]) == nil)
    #expect(try take(["LISTEN_FDS": "1", "LISTEN_PID": "1"]) == nil)
    #expect(try take(["LISTEN_FDS": "0", "LISTEN_PID": pid]) == nil)
    #expect(throws: SystemError.self) { try take(["LISTEN_FDS": "2", "LISTEN_PID": pid]) }
  }

  @Test("only a listening Unix-domain stream socket is adopted")
  func adoption() throws {
    try withDirectory { directory in
      let listener = try UnixSocket.listen(at: "\(directory)/sock")
      try listener.setNonblocking(false)
      let adopted = try Supervisor.adoptListener(listener)
      #expect(try UnixSocket.accept(from: adopted) == nil)
      var pair = try UnixSocket.pair()
      let connected = pair.takeFirst().release()
      #expect(throws: SystemError.self) {
        _ = try Supervisor.adoptListener(FileDescriptor(adopting: connected))
      }
      var pipe = try FileDescriptor.pipe()
      let reading = pipe.takeFirst().release()
      #expect(throws: SystemError.self) {
        _ = try Supervisor.adoptListener(FileDescriptor(adopting: reading))
      }
    }
  }
}
