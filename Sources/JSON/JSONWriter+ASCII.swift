extension JSONWriter {
  /// Writes a string of `count` ASCII characters, none of which needs an escape, without making a `String` of them.
  @inlinable
  package mutating func asciiString(count: Int, _ character: (Int) -> UInt8) {
    beginValue()
    bytes.append(UInt8(ascii: "\""))
    for position in 0..<count { bytes.append(character(position)) }
    bytes.append(UInt8(ascii: "\""))
  }
}
