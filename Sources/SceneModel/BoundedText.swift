extension String {
  /// The text, cut off where it would exceed so many bytes of UTF-8; what others send must not
  /// make what is said of it too long to be sent.
  package func clipped(to byteCount: Int) -> String {
    guard utf8.count > byteCount else { return self }
    var end = utf8.index(startIndex, offsetBy: byteCount)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end]) + "…"
  }

  /// At most so many bytes it takes as a JSON string, quotes included.
  package var jsonByteCount: Int {
    var count = 2
    for byte in utf8 {
      switch byte {
      case 0..<0x20: count += 6
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): count += 2
      default: count += 1
      }
    }
    return count
  }
}
