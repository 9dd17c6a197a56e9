import SceneModel
import ScenePlatform
import SceneServer
import SceneWire

/// A connection as the kernel sees it: two streams of bytes that arrive in any pieces and can end
/// anywhere.
///
/// The model reads each message of the broker when the message leaves the broker. The client gets
/// the message when its last byte has arrived.
final class Wire {
  let number: Int
  let process: ClientProcess
  let clientName: String
  let connection: Connection
  private let model: Model
  private let dice: Dice

  enum End {
    case open
    /// The client sends nothing more, but still reads.
    case shut
    case closed
  }

  /// The client's end of the connection.
  private(set) var clientEnd = End.open
  /// Whether the broker knows that the client sends nothing more.
  var isEndKnown = false
  /// Whether the broker knows that the client does not read either.
  var isGoneKnown = false
  private(set) var isClosedByBroker = false
  /// Whether the broker has shut down the direction from the client.
  private var isInputEnded = false

  /// The bytes from the client that the broker has not read.
  private(set) var upstream: ContiguousArray<UInt8> = []
  /// Requests whose reply has not left the broker.
  private(set) var unanswered: [RequestIdentifier: SentRequest] = [:]

  /// The number of the broker's bytes that the connection can hold unread.
  private let room: Int
  private var decoder = FrameDecoder()
  /// Positions in the output of the broker: its end, the end of its last whole frame, and the
  /// position that the client has read to.
  private var left = 0
  private var framed = 0
  private var read = 0
  private var underWay: [(end: Int, heard: ReceivedMessage)] = []
  /// Whether the broker could not send all its output.
  private(set) var isFull = false { didSet { fullSince = isFull ? fullSince ?? model.now : nil } }
  /// Since when the broker cannot send all its output.
  private(set) var fullSince: Int64?
  /// The pings that the broker has sent, with the earliest time at which it can have sent them.
  private(set) var pings: [Int64: (session: SessionIdentifier, sent: Int64)] = [:]
  /// The ends of the client's frames that the broker has not read completely. `said` and
  /// `delivered` count the bytes that the client sent and the broker read.
  private var saidEnds: [Int] = []
  private var said = 0
  private var delivered = 0
  private var frameStart = 0
  /// When the broker read the first bytes of an incomplete frame.
  private var brokenSince: Int64?
  private let opened: Int64
  /// Whether the broker had waited too long for `initialize`, or for the rest of a frame, when it
  /// closed the connection.
  private(set) var hasTimedOut = false
  /// For each session, the newest version that the broker mentioned on this wire.
  var versionsTold: [SessionIdentifier: UInt64] = [:]

  init(
    number: Int, client: SimulatedClient, connection: Connection, model: Model, dice: Dice
  ) {
    self.number = number
    process = client.process
    clientName = client.name
    self.connection = connection
    self.model = model
    self.dice = dice
    opened = model.now
    room = dice.pick([300, 4_000, 200_000])
  }

  // MARK: - The client's end

  func say(_ bytes: ContiguousArray<UInt8>) {
    guard clientEnd == .open, !isClosedByBroker, !isInputEnded else { return }
    upstream.append(contentsOf: bytes)
    said += bytes.count
    saidEnds.append(said)
  }

  func forgetPings(where isOver: (Int64) -> Bool) { pings = pings.filter { !isOver($0.key) } }

  /// From now on, the broker can reply to this request.
  func expectReply(to said: SentRequest) { unanswered[said.identifier] = said }

  var unreadByClient: Int { left - read }

  /// Lets the client read `count` bytes. Returns the messages that these bytes complete.
  func read(_ count: Int) -> [ReceivedMessage] {
    read += min(count, unreadByClient)
    let whole = underWay.prefix { $0.end <= read }
    underWay.removeFirst(whole.count)
    return whole.map(\.heard)
  }

  /// Whether the client has read everything and the broker has closed the connection.
  var isAtEnd: Bool { isClosedByBroker && unreadByClient == 0 }

  /// Closes the client's end. Of the bytes that the broker has not read, only the first `count`
  /// stay.
  func close(keeping count: Int, as end: End) {
    if clientEnd != .closed { clientEnd = end }
    upstream.removeLast(max(0, upstream.count - count))
  }

  /// The client also stops reading.
  func closeFully() { clientEnd = .closed }

  // MARK: - The broker's end

  /// The number of bytes to the end of the next frame; nil without one.
  var nextFrameByteCount: Int? { saidEnds.first.map { $0 - delivered } }

  /// The next bytes for the broker.
  func takeUpstream(_ count: Int) -> ContiguousArray<UInt8> {
    let taken = ContiguousArray(upstream.prefix(count))
    upstream.removeFirst(taken.count)
    delivered += taken.count
    while let end = saidEnds.first, end <= delivered {
      frameStart = saidEnds.removeFirst()
      brokenSince = nil
    }
    brokenSince = delivered == frameStart ? nil : brokenSince ?? model.now
    return taken
  }

  /// Whether the broker can send again on a connection that was full.
  var hasRoomAgain: Bool {
    isFull && !isClosedByBroker && clientEnd != .closed && unreadByClient < room
  }

  /// Takes output of the broker, unless the call fails.
  func send(_ bytes: RawSpan, _ faults: TransportFaults) -> SendOutcome {
    switch faults.next(.send) {
    case .failed(let code)?:
      fullSince = fullSince ?? model.now
      return .failed(code)
    case .short(let count)?: return .bytes(take(bytes, upTo: count))
    case nil: return .bytes(take(bytes))
    }
  }

  /// Returns how many bytes the connection accepts.
  private func take(_ bytes: RawSpan, upTo limit: Int = .max) -> Int {
    guard clientEnd != .closed else { return bytes.byteCount }
    var count = min(bytes.byteCount, room - unreadByClient, limit)
    if dice.once(in: 8) { count = dice.number(0...max(0, count)) }
    let offered = fullSince ?? model.now
    isFull = count < bytes.byteCount
    let taken = bytes.withUnsafeBytes { ContiguousArray($0.prefix(count)) }
    left += count
    tap(taken, offered: offered)
    return count
  }

  /// `offered` is the earliest time at which the broker offered the bytes.
  private func tap(_ bytes: ContiguousArray<UInt8>, offered: Int64) {
    model.transcript.stamp(bytes)
    do throws(FrameError) {
      try decoder.decode(bytes.span) { content in
        framed += FrameDecoder.headerLength + content.count
        do throws(Unreadable) {
          let heard = try ReceivedMessage(content) { unanswered.removeValue(forKey: $0) }
          underWay.append((framed, heard))
          if case .farewell = heard { checkTimeouts() }
          if case .callback(let number, let callback) = heard, callback.kind == .ping {
            pings[number] = (callback.session, offered)
          }
          model.listen(to: heard, on: self)
        } catch {
          let frame = content.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
          model.complain("wire \(number): \(error.problem): \(frame)")
        }
        return true
      }
    } catch {
      model.complain("wire \(number): the broker sent an invalid frame: \(error)")
    }
  }

  private func checkTimeouts() {
    let limits = Limits()
    let waited = { (start: Int64, seconds: Int) in
      self.model.now - start >= Int64(seconds) * 1_000_000_000
    }
    hasTimedOut =
      waited(opened, limits.handshakeSeconds)
      || brokenSince.map { waited($0, limits.frameSeconds) } ?? false
  }

  func endInput() { isInputEnded = true }

  func closeByBroker() { isClosedByBroker = true }
}
