import JSON
import SceneModel
import ScenePlatform
import SceneTransport
import SceneWire

/// Reads what the broker says to the application delegate, message by message.
final class DelegateReader {
  /// The number of the first request; those above it are pings.
  static let greeting: Int64 = 1

  enum Heard {
    /// The name of the broker's application.
    case welcomed(String)
    case asked(Int64, DelegateCallback)
    /// What this version does not know.
    case unknown(RequestIdentifier, method: String)
    case told(BrokerNotification)
    case pong
  }

  private let poller: Poller
  private let wakeup: Wakeup
  private let socket: FrameSocket
  private let document = JSONDocument()
  private var heard: [Heard] = []
  private var farewell: SceneError?
  private var isWelcome = false

  private enum Token {
    static let wakeup: UInt64 = 0
    static let socket: UInt64 = 1
  }

  init(_ socket: FrameSocket, _ wakeup: Wakeup) throws(SystemError) {
    poller = try Poller(capacity: 2)
    self.wakeup = wakeup
    self.socket = socket
    try poller.add(wakeup.number, token: Token.wakeup, interest: .readable)
    try poller.add(socket.number, token: Token.socket, interest: .readable)
  }

  /// The next message; nil when the connection has ended, or when it was woken up.
  ///
  /// - Throws: What the broker says if it does not let this client in.
  func next() throws(SceneError) -> Heard? {
    var events: ContiguousArray<PollEvent> = []
    while heard.isEmpty {
      if let farewell, !isWelcome { throw farewell }
      do throws(SystemError) {
        try poller.wait(nanoseconds: nil, into: &events)
      } catch {
        throw SceneError(error)
      }
      if events.contains(where: { $0.token == Token.wakeup }) { return nil }
      switch socket.receive() {
      case .bytes:
        guard takeFrames() else { return nil }
      case .wouldBlock: continue
      case .end, .failed:
        if let farewell, !isWelcome { throw farewell }
        return nil
      }
    }
    return heard.removeFirst()
  }

  /// False when the broker cannot be followed any more.
  private func takeFrames() -> Bool {
    do throws(FrameError) {
      while let content = try socket.nextFrame() { read(content) }
      return true
    } catch {
      return false
    }
  }

  private func read(_ content: ContiguousArray<UInt8>) {
    defer { document.trim(above: 256 << 10) }
    do throws(EnvelopeError) {
      switch try Envelope(content.span, into: document) {
      case .request(let identifier?, let method, let params):
        heard.append(Self.request(identifier, method, params))
      case .request(nil, let method, let params):
        guard let params, let told = try? BrokerNotification(method: method, params: params)
        else { return }
        heard.append(.told(told))
      case .result(.number(Self.greeting), let result):
        isWelcome = true
        let reply = try? Initialize.Reply(reading: result)
        heard.append(.welcomed(reply?.application.name ?? ""))
      case .failure(_, let error): farewell = SceneError(Refusal(reading: error))
      case .result: heard.append(.pong)
      }
    } catch {
      farewell = error.farewell.map { SceneError($0) }
    }
  }

  private static func request(
    _ identifier: RequestIdentifier, _ method: JSONValue, _ params: JSONValue?
  ) -> Heard {
    guard case .number(let number) = identifier, let params,
      let callback = try? DelegateCallback(method: method, params: params)
    else { return .unknown(identifier, method: method.methodName) }
    return .asked(number, callback)
  }
}
