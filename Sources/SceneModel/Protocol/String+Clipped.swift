extension String {
  /// The text, clipped to at most `byteCount` bytes of UTF-8 before the ellipsis. A message that
  /// quotes a client's text must fit a frame.
  package func clipped(to byteCount: Int) -> String {
    guard utf8.count > byteCount else { return self }
    var end = utf8.index(startIndex, offsetBy: byteCount)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end]) + "…"
  }
}
