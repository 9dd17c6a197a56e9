/// Iterates over the unescaped bytes of a checked string.
@safe
struct UnescapedBytes: IteratorProtocol {
  /// The bytes between the quotes. The bytes must outlive this iterator.
  private let content: UnsafeBufferPointer<UInt8>
  private var position = 0
  /// The remaining UTF-8 bytes of an escaped scalar, little-endian; 0 if none.
  private var pending: UInt32 = 0

  @unsafe
  init(_ content: UnsafeBufferPointer<UInt8>) {
    unsafe self.content = content
  }

  mutating func next() -> UInt8? {
    if pending != 0 {
      defer { pending >>= 8 }
      return UInt8(truncatingIfNeeded: pending)
    }
    guard unsafe position < content.count else { return nil }
    let byte = unsafe content[position]
    position += 1
    return byte == Byte.backslash ? unescape() : byte
  }

  /// Decodes the escape after its backslash.
  private mutating func unescape() -> UInt8 {
    let letter = unsafe content[position]
    position += 1
    switch letter {
    case Byte.lowerB: return 0x08
    case Byte.lowerF: return 0x0C
    case Byte.lowerN: return Byte.newline
    case Byte.lowerR: return Byte.carriageReturn
    case Byte.lowerT: return Byte.tab
    case Byte.lowerU: return encode(scalar())
    default: return letter
    }
  }

  /// Decodes one `\u` escape, or a surrogate pair, after its first `u`.
  private mutating func scalar() -> UInt32 {
    let unit = codeUnit()
    guard unit & 0xF800 == 0xD800 else { return unit }
    position += 2
    return 0x10000 + ((unit & 0x3FF) << 10 | (codeUnit() & 0x3FF))
  }

  private mutating func codeUnit() -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      unit = unit << 4 | UInt32(hexadecimalValue(unsafe content[position]) ?? 0)
      position += 1
    }
    return unit
  }

  /// Returns the first UTF-8 byte of the scalar, and stores the others in `pending`.
  private mutating func encode(_ scalar: UInt32) -> UInt8 {
    func continuation(_ shift: UInt32) -> UInt32 { 0x80 | (scalar >> shift & 0x3F) }
    switch scalar {
    case 0..<0x80:
      return UInt8(scalar)
    case 0x80..<0x800:
      pending = continuation(0)
      return UInt8(0xC0 | scalar >> 6)
    case 0x800..<0x10000:
      pending = continuation(6) | continuation(0) << 8
      return UInt8(0xE0 | scalar >> 12)
    default:
      pending = continuation(12) | continuation(6) << 8 | continuation(0) << 16
      return UInt8(0xF0 | scalar >> 18)
    }
  }
}
