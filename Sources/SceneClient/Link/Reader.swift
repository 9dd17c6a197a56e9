import SceneModel
import ScenePlatform
import SceneWire

/// The thread that opens the connection, reads what comes, and writes what the socket would not
/// take at once.
final class Reader: @unchecked Sendable {
  // Everything here is used by the one thread that runs it; the client's state is behind its lock.
  private let client: Client
  private let poller: Poller
  private let messages = MessageReader()
  private var decoder = FrameDecoder()
  private var link: Link?
  /// Whether the poller also tells when the socket takes more.
  private var isWriting = false
  private var events: ContiguousArray<PollEvent> = []
  private let buffer = InputBuffer()

  /// How often the socket is read before others have their turn.
  private static let readsInARow = 16
  /// How long the last words may take.
  private static let lingering: Int64 = 1_000_000_000

  private enum Token {
    static let wakeup: UInt64 = 0
    static let link: UInt64 = 1
  }

  init(_ client: Client) throws(SystemError) {
    self.client = client
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
    client.readerEnded()
  }

  private enum Task: Sendable {
    case open, close
    case fire([ClientTimer])
    case wait(until: Int64?, writing: Bool)
  }

  /// Nil when all is over.
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
      return .wait(until: state.timers.next, writing: state.link?.hasUnsent == true)
    }
  }

  // MARK: - Opening and closing

  private func open() {
    do throws(SystemError) {
      let link = try Link(try client.settings.open(), onFrame: client.settings.onFrame)
      try poller.add(link.number, token: Token.link, interest: .readable)
      decoder = FrameDecoder()
      isWriting = false
      self.link = link
      client.install(link)
    } catch {
      client.feed(.notOpened(SceneError(error)))
    }
  }

  private func close() {
    guard let link else { return }
    client.removeLink()
    link.finish(within: Self.lingering)
    forget(link)
  }

  private func lose() {
    guard let link else { return }
    client.removeLink()
    forget(link)
    client.feed(.lost)
  }

  private func forget(_ link: Link) {
    try? poller.remove(link.number)
    self.link = nil
  }

  // MARK: - Waiting, reading, writing

  private func wait(until deadline: Int64?, writing: Bool) {
    if let link, writing != isWriting {
      isWriting = writing
      let interest: PollInterest = writing ? [.readable, .writable] : .readable
      try? poller.modify(link.number, token: Token.link, interest: interest)
    }
    let time = deadline.map { max(0, $0 - SystemClock.monotonic()) }
    do throws(SystemError) {
      try poller.wait(nanoseconds: time, into: &events)
    } catch {
      return lose()
    }
    for event in events {
      if event.token == Token.wakeup {
        client.wakeup.drain()
        continue
      }
      if event.writable { client.withState { $0.link?.flush() } }
      if event.readable || event.hungUp { read() }
    }
  }

  private func read() {
    for _ in 0..<Self.readsInARow {
      guard let link else { return }
      switch link.receive(into: buffer.bytes) {
      case .bytes(let count):
        guard take(count) else { return lose() }
      case .wouldBlock: return
      case .end, .failed: return lose()
      }
    }
  }

  /// Whether the broker can still be followed.
  private func take(_ count: Int) -> Bool {
    var isSound = true
    do throws(FrameError) {
      try buffer.withSpan(of: count) { bytes throws(FrameError) in
        try decoder.decode(bytes) { content in
          isSound = take(content)
          return isSound
        }
      }
    } catch {
      return false
    }
    return isSound
  }

  private func take(_ content: Span<UInt8>) -> Bool {
    client.settings.onFrame?(.received, content.withUnsafeBufferPointer { ContiguousArray($0) })
    do throws(ConversationError) {
      let event = try messages.read(content) { number in
        client.withState { $0.machine.method(of: number) }
      }
      if let event { client.feed(event) }
      return true
    } catch {
      return false
    }
  }
}

extension Client {
  /// From here on messages go over this connection.
  fileprivate func install(_ link: Link) {
    withState { $0.link = link }
    feed(.opened)
  }

  fileprivate func removeLink() {
    withState { $0.link = nil }
  }
}

extension SceneError {
  /// Why there is no connection. A path that can never be one is not tried again.
  init(_ error: SystemError) {
    if error.isDenied {
      self.init(.notPermitted, "\(error)")
    } else if error.isWouldBlock, let path = error.path {
      self.init(
        .tooMany, "the connection queue of \(path) is full; try again later",
        retry: .later)
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
