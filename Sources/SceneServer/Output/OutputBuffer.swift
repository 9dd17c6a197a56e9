import SceneWire

/// A writer and its memory. An outbox owns one while it has messages of its own. Its events are in
/// the buffer of `EventFrames`.
final class OutputBuffer {
  @exclusivity(unchecked)
  var writer = FrameWriter()
}

/// Empty buffers for all outboxes, so that an idle connection has none.
struct BufferPool {
  private var buffers: [OutputBuffer] = []

  mutating func take() -> OutputBuffer { buffers.popLast() ?? OutputBuffer() }

  mutating func give(_ buffer: consuming OutputBuffer) {
    guard buffers.count < 64, buffer.writer.capacity <= 1 << 16 else { return }
    buffer.writer.removeAll()
    buffers.append(buffer)
  }
}

/// A run of bytes in a buffer.
struct OutputPiece {
  let buffer: OutputBuffer
  private(set) var range: Range<Int>

  init(_ buffer: OutputBuffer, _ range: Range<Int>) {
    self.buffer = buffer
    self.range = range
  }

  /// Adds the bytes of another piece. Returns false if they do not follow in the same buffer.
  mutating func extend(with piece: OutputPiece) -> Bool {
    guard buffer === piece.buffer, range.upperBound == piece.range.lowerBound else { return false }
    range = range.lowerBound..<piece.range.upperBound
    return true
  }
}

/// The unsent bytes of an outbox, in order.
///
/// The first piece is stored in place, because most outboxes have one.
struct OutputPieces {
  private(set) var first: OutputPiece?
  private(set) var rest: [OutputPiece] = []

  init() {}

  init(_ piece: OutputPiece) { first = piece }

  mutating func removeAll() {
    first = nil
    if !rest.isEmpty { rest = [] }
  }

  mutating func append(_ piece: OutputPiece) {
    if !rest.isEmpty {
      if !rest[rest.count - 1].extend(with: piece) { rest.append(piece) }
    } else if first == nil {
      first = piece
    } else if first?.extend(with: piece) == false {
      rest.append(piece)
    }
  }
}
