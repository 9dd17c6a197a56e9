extension String {
  /// The text, cut off where it would exceed so many bytes of UTF-8; what others send must not
  /// make what is said of it too long to be sent.
  package func clipped(to byteCount: Int) -> String {
    guard utf8.count > byteCount else { return self }
    var end = utf8.index(startIndex, offsetBy: byteCount)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end]) + "…"
  }
}
