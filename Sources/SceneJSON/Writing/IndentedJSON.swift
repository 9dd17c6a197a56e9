extension RawJSON {
  /// The same value, with one line for each member and element, indented by two spaces for each
  /// level.
  package var indented: String {
    var writer = IndentedJSON()
    for byte in bytes { writer.append(byte) }
    return String(decoding: writer.text, as: UTF8.self)
  }
}

/// Indents well-formed JSON text, byte by byte.
private struct IndentedJSON {
  private(set) var text: ContiguousArray<UInt8> = []
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// Whether the last byte opened a container, which may be empty.
  private var hasOpened = false

  mutating func append(_ byte: UInt8) {
    if isInString { return appendInString(byte) }
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
      return
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      if !hasOpened { breakLine() }
      hasOpened = false
      text.append(byte)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      beginValue()
      text.append(byte)
      depth += 1
      hasOpened = true
    case UInt8(ascii: ","):
      text.append(byte)
      breakLine()
    case UInt8(ascii: ":"):
      text.append(contentsOf: ": ".utf8)
    default:
      beginValue()
      isInString = byte == UInt8(ascii: "\"")
      text.append(byte)
    }
  }

  private mutating func appendInString(_ byte: UInt8) {
    text.append(byte)
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
    }
  }

  private mutating func beginValue() {
    if hasOpened { breakLine() }
    hasOpened = false
  }

  private mutating func breakLine() {
    text.append(UInt8(ascii: "\n"))
    text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }
}
