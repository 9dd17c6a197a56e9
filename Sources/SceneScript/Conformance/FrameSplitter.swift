import SceneModel

/// Splits a byte stream into frames.
struct FrameSplitter {
  /// The bytes of an incomplete frame.
  private(set) var rest: ContiguousArray<UInt8> = []

  enum Part: Equatable {
    /// Includes the header.
    case frame(ContiguousArray<UInt8>)
    /// The next frame is incomplete.
    case more
    case bad(String)
  }

  private static let headerLength = 4

  /// The maximum length of a frame, in bytes. The default is the broker's limit for frames of a
  /// client.
  var limit = Limits().frameBytes

  mutating func add(_ more: some Collection<UInt8>) { rest += more }

  mutating func next() -> Part {
    guard let first = rest.first else { return .more }
    guard first == 0 else { return .bad("a frame whose first byte is \(first), not 0") }
    guard rest.count >= Self.headerLength else { return .more }
    let length = rest[1..<Self.headerLength].reduce(0) { $0 << 8 | Int($1) }
    guard length > 0, length <= limit else {
      return .bad("a frame of \(length) bytes; expected 1 to \(limit)")
    }
    let end = Self.headerLength + length
    guard rest.count >= end else { return .more }
    defer { rest.removeFirst(end) }
    return .frame(ContiguousArray(rest[..<end]))
  }

  static func content(of frame: ContiguousArray<UInt8>) -> ContiguousArray<UInt8> {
    ContiguousArray(frame.dropFirst(headerLength))
  }

  static func frame(_ content: ContiguousArray<UInt8>) -> ContiguousArray<UInt8> {
    let length = UInt32(content.count)
    return [0, UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
      + content
  }
}
