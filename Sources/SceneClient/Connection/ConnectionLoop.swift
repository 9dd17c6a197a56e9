import SceneModel
import ScenePlatform
import SceneTransport
import SceneWire

/// The thread of the connection: it opens the socket, receives, and sends the output that the
/// socket did not take at once.
final class ConnectionLoop: @unchecked Sendable {
  // Only this thread uses these; the state of the client has its lock.
  private let client: Client
  private let poller: Poller
  private let messages: MessageReader
  private var socket: FrameSocket?
  private var events: ContiguousArray<PollEvent> = []

  /// The maximum number of reads before timers and output.
  private static let readsInARow = 16
  /// Nanoseconds for the rest of the output.
  private static let closeTimeout: Int64 = 1_000_000_000

  private enum Token {
    static let wakeup: UInt64 = 0
    static let socket: UInt64 = 1
  }

  init(_ client: Client) throws(SystemError) {
    self.client = client
    messages = MessageReader(kind: client.settings.kind)
    poller = try Poller(capacity: 4)
    try poller.add(client.wakeup.number, token: Token.wakeup, interest: .readable)
  }

  func run() {
    while let task = nextTask() {
      switch task {
      case .open: open()
      case .close: close()
      case .fire(let timers): for timer in timers { client.feed(.due(timer)) }
      case .wait(let deadline, let writing): wait(until: deadline, writing: writing)
      }
    }
    client.connectionLoopEnded()
  }

  private enum Task: Sendable {
    case open, close
    case fire([ClientTimer])
    case wait(until: Int64?, writing: Bool)
  }

  /// Nil at the end of the client.
  private func nextTask() -> Task? {
    client.withState { state in
      if state.mustClose {
        state.mustClose = false
        return .close
      }
      if state.isOver { return nil }
      if state.mustOpen {
        state.mustOpen = false
        return .open
      }
      let due = state.timers.takeDue(at: SystemClock.monotonic())
      if !due.isEmpty { return .fire(due) }
      return .wait(until: state.timers.next, writing: state.socket?.hasUnsent == true)
    }
  }

  // MARK: - Opening and closing

  private func open() {
    do throws(SystemError) {
      let socket = FrameSocket(try client.settings.open())
      socket.onFrame = client.settings.onFrame
      try poller.add(socket.number, token: Token.socket, interest: .readable)
      self.socket = socket
      client.install(socket)
    } catch {
      client.feed(.notOpened(SceneError(error)))
    }
  }

  private func close() {
    guard let socket else { return }
    client.removeSocket()
    // The broker reads to the end before it learns of the close.
    _ = try? socket.flush(until: SystemClock.monotonic() + Self.closeTimeout)
    forget(socket)
  }

  private func lose() {
    guard let socket else { return }
    client.loseSocket()
    forget(socket)
  }

  private func forget(_ socket: FrameSocket) {
    try? poller.remove(socket.number)
    self.socket = nil
  }

  // MARK: - Waiting, reading, writing

  private func wait(until deadline: Int64?, writing: Bool) {
    if let socket {
      let interest: PollInterest = writing ? [.readable, .writable] : .readable
      try? poller.modify(socket.number, token: Token.socket, interest: interest)
    }
    let time = deadline.map { max(0, $0 - SystemClock.monotonic()) }
    guard (try? poller.wait(nanoseconds: time, into: &events)) != nil else { return lose() }
    for event in events {
      if event.token == Token.wakeup {
        client.wakeup.drain()
        continue
      }
      if event.writable { client.withState { $0.socket?.flush() } }
      if event.readable || event.hungUp { read() }
    }
  }

  private func read() {
    for _ in 0..<Self.readsInARow {
      guard let socket else { return }
      switch socket.receive() {
      case .bytes:
        guard takeFrames(of: socket) else { return lose() }
      case .wouldBlock: return
      case .end, .failed: return lose()
      }
    }
  }

  /// False when the broker cannot be followed any more.
  private func takeFrames(of socket: FrameSocket) -> Bool {
    do {
      while let content = try socket.nextFrame() {
        let event = try messages.read(content.span) { number in
          client.withState { $0.machine.request(of: number) }
        }
        if let event { client.feed(event) }
      }
      return true
    } catch {
      return false
    }
  }
}

extension Client {
  /// Sends all further messages over this connection.
  fileprivate func install(_ socket: FrameSocket) {
    withState { $0.socket = socket }
    feed(.opened)
  }

  fileprivate func removeSocket() {
    withState { $0.socket = nil }
  }

  /// Under one lock, so that each request of the lost connection is in its socket.
  fileprivate func loseSocket() {
    let finished = withState { state in
      let unsent = state.socket?.unsentRequests ?? []
      state.socket = nil
      return carryOut(.lost(unsent: unsent), &state)
    }
    for finish in finished { finish() }
  }
}

extension SceneError {
  /// Why the client cannot connect. A path that can never be a socket is not tried again.
  init(_ error: SystemError) {
    if error.isDenied {
      self.init(.notPermitted, "\(error)")
    } else if error.isWouldBlock, let path = error.path {
      self.init(
        .tooMany, "the connection queue of \(path) is full; try again later",
        retry: .later)
    } else if error.isOutOfDescriptors {
      self.init(.tooMany, "\(error)", retry: .later)
    } else if let path = error.path, error.isNotFound {
      self.init(.brokerUnavailable, "there is no socket at \(path)", retry: .later)
    } else if let path = error.path, error.code == .connectionRefused {
      self.init(.brokerUnavailable, "no process listens at \(path)", retry: .later)
    } else {
      let isHopeless = [.nameTooLong, .invalidArgument, .notASocket].contains(error.code)
      self.init(.brokerUnavailable, "\(error)", retry: isHopeless ? .never : .later)
    }
  }
}
