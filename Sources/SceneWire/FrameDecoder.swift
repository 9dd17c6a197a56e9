/// Why bytes are not frames. The stream cannot be followed any further.
package enum FrameError: Error, Equatable, Sendable {
  /// The length's top byte is reserved.
  case reservedByteSet(UInt8)
  case empty
  case tooLong(Int, limit: Int)
}

extension FrameError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .reservedByteSet(let byte):
      "invalid frame length: the first byte is \(byte) and must be 0; "
        + "a frame is a four-byte big-endian length and that many bytes of JSON"
    case .empty: "a frame of length 0"
    case .tooLong(let length, let limit):
      "a frame of \(length) bytes; the limit is \(limit)"
    }
  }
}

/// Cuts a stream of bytes into frames: four bytes of length, big-endian, then so many bytes of
/// JSON.
///
/// Whole frames are handed on from where they lie. Only what is left of an unfinished one is kept,
/// so that an idle connection keeps nothing, and what is kept never exceeds what came in: nothing
/// is allocated on the word of a length.
package struct FrameDecoder {
  package static let headerLength = 4
  /// The most that a length can say.
  package static let longestFrame = 1 << 24 - 1

  private let limit: Int
  /// The beginning of a frame whose rest has not come yet, header and all.
  private var unfinished: ContiguousArray<UInt8> = []

  /// A client takes what its broker sends, whatever the length; the limits are the broker's.
  package init(limit: Int = FrameDecoder.longestFrame) { self.limit = limit }

  /// Whether a frame was begun and is not yet whole.
  package var isWithinFrame: Bool { !unfinished.isEmpty }

  /// How many bytes of it are kept.
  package var keptByteCount: Int { unfinished.count }

  /// How many bytes the frame that was begun still needs, as far as it has told; 0 for none.
  package var missingByteCount: Int {
    guard unfinished.count >= Self.headerLength else { return 0 }
    return (try? length(in: unfinished.span, at: 0)).map {
      Self.headerLength + $0 - unfinished.count
    } ?? 0
  }

  /// Hands each frame's content to `body`, until it answers false; then the rest of the bytes is
  /// dropped.
  package mutating func decode(
    _ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Bool
  ) throws(FrameError) {
    _ = try decode(bytes, while: { true }, body)
  }

  /// The same, but stops before the first frame for which `goesOn` answers false. Gives how many of
  /// the bytes are dealt with. A frame that was begun before is handed on in any case.
  package mutating func decode(
    _ bytes: Span<UInt8>, while goesOn: () -> Bool, _ body: (Span<UInt8>) -> Bool
  ) throws(FrameError) -> Int {
    var position = 0
    if !unfinished.isEmpty {
      guard try complete(from: bytes, &position) else { return bytes.count }
      let whole = unfinished
      unfinished = []
      let content = whole.span.extracting(Self.headerLength...)
      guard body(content) else { return bytes.count }
    }
    while bytes.count - position >= Self.headerLength {
      guard goesOn() else { return position }
      let length = try self.length(in: bytes, at: position)
      let start = position + Self.headerLength
      guard bytes.count - start >= length else { break }
      position = start + length
      guard body(bytes.extracting(start..<position)) else { return bytes.count }
    }
    keep(bytes, from: position)
    return bytes.count
  }

  /// Adds to the unfinished frame what belongs to it; whether it is whole now.
  private mutating func complete(
    from bytes: Span<UInt8>, _ position: inout Int
  ) throws(FrameError) -> Bool {
    take(from: bytes, &position, upTo: Self.headerLength)
    guard unfinished.count >= Self.headerLength else { return false }
    let length = try self.length(in: unfinished.span, at: 0)
    take(from: bytes, &position, upTo: Self.headerLength + length)
    return unfinished.count == Self.headerLength + length
  }

  private mutating func take(
    from bytes: Span<UInt8>, _ position: inout Int, upTo count: Int
  ) {
    let end = min(bytes.count, position + max(0, count - unfinished.count))
    append(bytes.extracting(position..<end))
    position = end
  }

  private mutating func keep(_ bytes: Span<UInt8>, from position: Int) {
    guard position < bytes.count else { return }
    append(bytes.extracting(position...))
  }

  private mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe unfinished.append(contentsOf: $0) }
  }

  private func length(in bytes: Span<UInt8>, at position: Int) throws(FrameError) -> Int {
    guard bytes[position] == 0 else { throw .reservedByteSet(bytes[position]) }
    let length =
      Int(bytes[position + 1]) << 16 | Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
    guard length > 0 else { throw .empty }
    guard length <= limit else { throw .tooLong(length, limit: limit) }
    return length
  }
}
