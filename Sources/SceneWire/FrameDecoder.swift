/// Why bytes are no frames. The rest of the stream cannot be read.
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

/// Cuts a stream into frames: four bytes of length, big-endian, then so many bytes of JSON.
///
/// Complete frames are passed on without a copy. The decoder stores only received bytes of an
/// incomplete frame. It allocates nothing for the announced length.
package struct FrameDecoder {
  package static let headerLength = 4
  /// The greatest length.
  package static let longestFrame = 1 << 24 - 1

  private let limit: Int
  /// The received part of an incomplete frame, with its header.
  private var unfinished: ContiguousArray<UInt8> = []

  /// A client accepts frames of any length. Only the broker has a limit.
  package init(limit: Int = FrameDecoder.longestFrame) { self.limit = limit }

  /// Whether a frame is incomplete.
  package var isWithinFrame: Bool { !unfinished.isEmpty }

  /// The stored bytes of the incomplete frame.
  package var keptByteCount: Int { unfinished.count }

  /// The known number of missing bytes of the incomplete frame; 0 without one.
  package var missingByteCount: Int {
    guard unfinished.count >= Self.headerLength else { return 0 }
    return (try? length(in: unfinished.span, at: 0)).map {
      Self.headerLength + $0 - unfinished.count
    } ?? 0
  }

  /// Passes the content of each frame to `body`, until it returns false. The rest of the bytes is
  /// dropped.
  package mutating func decode(
    _ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Bool
  ) throws(FrameError) {
    _ = try decode(bytes, while: { true }, body)
  }

  /// Like `decode(_:_:)`, but stops before the first new frame for which `goesOn` returns false.
  /// Returns the number of decoded bytes.
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

  /// Adds bytes to the incomplete frame. Returns whether it is complete.
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
