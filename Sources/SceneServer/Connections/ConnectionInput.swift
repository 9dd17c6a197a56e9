import SceneWire

/// The unprocessed input of one connection.
struct ConnectionInput {
  private let frameLimit: Int
  private var decoder: FrameDecoder
  /// Input that waits for a turn or until output has left. It continues where the decoder stopped.
  private(set) var held: ContiguousArray<UInt8> = []
  /// All unprocessed bytes. The value is stored, because the loop reads it for each message.
  private(set) var byteCount = 0
  private var isWithinFrame = false
  /// Whether the last input or the output was so large that the connection must take turns.
  var isBusy = false
  var waitsForTurn = false
  /// Whether all input is processed at once, because the client is gone.
  var isProcessedAtOnce = false
  /// The iteration in which a read filled its buffer, so that the socket may have more.
  private var fullReadIteration: UInt64?
  private(set) var hasFrameTimer = false

  init(frameLimit: Int) {
    self.frameLimit = frameLimit
    decoder = FrameDecoder(limit: frameLimit)
  }

  /// The known number of missing bytes of an incomplete frame; 0 without one.
  var missingByteCount: Int { decoder.missingByteCount }

  // MARK: - Reading

  /// A read has ended. A full buffer means that the socket may have more.
  mutating func didRead(isFull: Bool, in iteration: UInt64) {
    fullReadIteration = isFull ? iteration : nil
  }

  /// Whether input may be unread in this iteration.
  func mayBeUnread(in iteration: UInt64) -> Bool {
    fullReadIteration == iteration || waitsForTurn || !held.isEmpty
  }

  // MARK: - Turns

  /// Processing of so many bytes begins.
  mutating func begin(byteCount: Int) { isBusy = byteCount >= Share.busyInput }

  // MARK: - Bytes that wait

  mutating func hold(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { held.append(contentsOf: $0) }
    byteCount += bytes.count
  }

  mutating func takeHeld() -> ContiguousArray<UInt8> {
    byteCount -= held.count
    defer { held = [] }
    return held
  }

  /// Drops all unprocessed bytes.
  mutating func removeAll() {
    held = []
    decoder = FrameDecoder(limit: frameLimit)
    (byteCount, isWithinFrame) = (0, false)
  }

  // MARK: - Frames

  /// Moves the decoder out: while it decodes, the handling of a frame reads this input.
  mutating func takeDecoder() -> FrameDecoder {
    var taken = FrameDecoder(limit: frameLimit)
    swap(&taken, &decoder)
    byteCount = held.count
    return taken
  }

  mutating func putBack(_ decoder: consuming FrameDecoder) {
    byteCount = held.count + decoder.keptByteCount
    isWithinFrame = decoder.isWithinFrame
    self.decoder = decoder
  }

  enum FrameTimerChange {
    case none
    case start
    case stop
  }

  /// The change of the frame timer after input. Each frame has a timer of its own, so the end of a
  /// frame restarts the timer for the next one.
  mutating func changeFrameTimer(hasCompletedFrame: Bool) -> FrameTimerChange {
    let hadFrameTimer = hasFrameTimer
    hasFrameTimer = isWithinFrame
    guard hasFrameTimer else { return hadFrameTimer ? .stop : .none }
    return hasCompletedFrame || !hadFrameTimer ? .start : .none
  }
}
