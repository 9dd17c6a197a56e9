import ScenePlatform

/// A frame between a viewer and a holder: a type byte, a length of two bytes with the high byte
/// first, and the content.
///
/// The types and their contents never change, so that a viewer of any version attaches to a holder
/// of any version. A new type is possible: peers ignore types that they do not know.
enum ViewerFrame: Equatable {
  /// The holder describes its program, as a JSON object.
  case greeting([UInt8])
  /// The viewer attaches. The version is 1.
  case hello(version: UInt8, Terminal.Size)
  /// Keys of the viewer.
  case input([UInt8])
  /// The window of the viewer has this size.
  case size(Terminal.Size)
  /// Output of the program.
  case output([UInt8])
  /// The viewer ends with this status, and prints the text if there is one.
  case end(status: UInt8, text: String)
  /// The viewer leaves the terminal; the program runs on.
  case detach(Detachment)
  /// The viewer shows its window to the user.
  case raise

  /// Why the holder ends a viewer.
  enum Detachment: UInt8 {
    /// The scene moves to the background.
    case background = 0
    /// The program was stopped, as by Ctrl-Z. The viewer stops.
    case stopped = 1
  }

  static let version: UInt8 = 1
  static let contentLimit = 0xFFFF

  private var type: UInt8 {
    switch self {
    case .hello: 1
    case .input: 2
    case .size: 3
    case .output: 4
    case .end: 5
    case .detach: 6
    case .greeting: 7
    case .raise: 8
    }
  }

  /// The frame for its peer. A text is clipped.
  var bytes: [UInt8] {
    let content: [UInt8] =
      switch self {
      case .greeting(let bytes), .input(let bytes), .output(let bytes): bytes
      case .hello(let version, let size): [version] + size.bytes
      case .size(let size): size.bytes
      case .end(let status, let text): [status] + text.utf8.prefix(Self.contentLimit - 1)
      case .detach(let cause): [cause.rawValue]
      case .raise: []
      }
    precondition(content.count <= Self.contentLimit, "the content fits into a frame")
    return [type, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
  }

  /// Nil for an unknown type, and for content that the type does not allow.
  init?(type: UInt8, _ content: ArraySlice<UInt8>) {
    let first = content.first
    switch type {
    case 1:
      guard let first, let size = Terminal.Size(content.dropFirst()) else { return nil }
      self = .hello(version: first, size)
    case 2: self = .input(Array(content))
    case 3:
      guard let size = Terminal.Size(content) else { return nil }
      self = .size(size)
    case 4: self = .output(Array(content))
    case 5:
      guard let first else { return nil }
      self = .end(status: first, text: String(decoding: content.dropFirst(), as: UTF8.self))
    case 6:
      // The holder closes the connection after a cause that this viewer does not know.
      self = .detach(first.flatMap(Detachment.init) ?? .background)
    case 7: self = .greeting(Array(content))
    case 8: self = .raise
    default: return nil
    }
  }
}

/// Splits received bytes into frames.
struct ViewerFrameReader {
  private var bytes: [UInt8] = []

  /// The complete known frames, in their order.
  mutating func take(_ received: some Sequence<UInt8>) -> [ViewerFrame] {
    bytes += received
    var frames: [ViewerFrame] = []
    var start = 0
    while bytes.count - start >= 3 {
      let end = start + 3 + Int(bytes[start + 1]) << 8 + Int(bytes[start + 2])
      guard end <= bytes.count else { break }
      if let frame = ViewerFrame(type: bytes[start], bytes[(start + 3)..<end]) {
        frames.append(frame)
      }
      start = end
    }
    bytes.removeFirst(start)
    return frames
  }
}

extension Terminal.Size {
  /// Two bytes for the columns and two for the rows, each with the high byte first.
  fileprivate var bytes: [UInt8] {
    [columns, rows].flatMap { number in
      let number = UInt16(clamping: number)
      return [UInt8(number >> 8), UInt8(number & 0xFF)]
    }
  }

  /// A later version can add bytes.
  fileprivate init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 4 else { return nil }
    let bytes = bytes.prefix(4).map(Int.init)
    self.init(columns: bytes[0] << 8 | bytes[1], rows: bytes[2] << 8 | bytes[3])
  }
}
