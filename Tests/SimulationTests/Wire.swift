import SceneModel
import SceneServer
import SceneWire

/// A connection as the kernel has it: two streams of bytes that come in any pieces, and may end
/// anywhere.
///
/// What the broker says is read as it leaves the broker, by the model; the client is given it when
/// its last byte has arrived.
final class Wire {
  let number: Int
  let process: ClientProcess
  let clientName: String
  let connection: Connection
  private let model: Model
  private let dice: Dice

  enum End {
    case open
    /// It says no more, but still reads.
    case shut
    case closed
  }

  /// The client's end.
  private(set) var clientEnd = End.open
  /// Whether the broker was told of the client's end.
  var isEndKnown = false
  /// Whether it was told that the client reads no more either.
  var isGoneKnown = false
  private(set) var isClosedByBroker = false

  /// What the client has said and the broker has not read.
  private(set) var upstream: ContiguousArray<UInt8> = []
  /// Requests that no reply has left for.
  private(set) var unanswered: [RequestIdentifier: SentRequest] = [:]

  /// How much of what the broker says can be under way.
  private let room: Int
  private var decoder = FrameDecoder()
  /// Positions in what the broker says: what has left it, where its last whole frame ended, what
  /// the client has read.
  private var left = 0
  private var framed = 0
  private var read = 0
  private var underWay: [(end: Int, heard: ReceivedMessage)] = []
  /// Whether the broker could not send all it wanted to.
  private var isFull = false
  /// Where the frames end that the client has said, and how much of that the broker has read.
  private var saidEnds: [Int] = []
  private var said = 0
  private var delivered = 0
  private var frameStart = 0
  /// Since when the broker has a frame that is not whole.
  private var brokenSince: Int64?
  private let opened: Int64
  /// Whether the broker has waited too long for a first word, or for the rest of one, when it said
  /// farewell.
  private(set) var hasTimedOut = false
  /// For each session, the newest version of it that the broker has spoken of here.
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
    guard clientEnd == .open, !isClosedByBroker else { return }
    upstream.append(contentsOf: bytes)
    said += bytes.count
    saidEnds.append(said)
  }

  /// The reply to this may come from now on.
  func expectReply(to said: SentRequest) { unanswered[said.identifier] = said }

  var unreadByClient: Int { left - read }

  /// The client reads so many bytes; what they complete.
  func read(_ count: Int) -> [ReceivedMessage] {
    read += min(count, unreadByClient)
    let whole = underWay.prefix { $0.end <= read }
    underWay.removeFirst(whole.count)
    return whole.map(\.heard)
  }

  /// Whether the client, having read everything, learns that the broker is gone.
  var isAtEnd: Bool { isClosedByBroker && unreadByClient == 0 }

  /// The client's end closes; of what it was about to say only the first bytes are on their way.
  func close(keeping count: Int, as end: End) {
    if clientEnd != .closed { clientEnd = end }
    upstream.removeLast(max(0, upstream.count - count))
  }

  /// It reads no more either.
  func closeFully() { clientEnd = .closed }

  // MARK: - The broker's end

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

  /// Whether the broker can send more now than it could before.
  var hasRoomAgain: Bool {
    isFull && !isClosedByBroker && clientEnd != .closed && unreadByClient < room
  }

  /// The broker sends; how much of it is taken.
  func take(_ bytes: RawSpan) -> Int {
    guard clientEnd != .closed else { return bytes.byteCount }
    var count = min(bytes.byteCount, room - unreadByClient)
    if dice.once(in: 8) { count = dice.number(0...max(0, count)) }
    isFull = count < bytes.byteCount
    let taken = bytes.withUnsafeBytes { ContiguousArray($0.prefix(count)) }
    left += count
    tap(taken)
    return count
  }

  private func tap(_ bytes: ContiguousArray<UInt8>) {
    model.transcript.stamp(bytes)
    do throws(FrameError) {
      try decoder.decode(bytes.span) { content in
        framed += FrameDecoder.headerLength + content.count
        do throws(Unreadable) {
          let heard = try ReceivedMessage(content) { unanswered.removeValue(forKey: $0) }
          underWay.append((framed, heard))
          if case .farewell = heard { checkTimeouts() }
          model.listen(to: heard, on: self)
        } catch {
          let frame = content.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
          model.complain("wire \(number): \(error.problem): \(frame)")
        }
        return true
      }
    } catch {
      model.complain("wire \(number): the broker sent what are no frames: \(error)")
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

  func closeByBroker() { isClosedByBroker = true }
}
