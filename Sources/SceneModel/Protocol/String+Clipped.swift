extension String {
  /// The text, clipped to at most `byteCount` bytes of UTF-8 before the ellipsis. A message that
  /// quotes a client's text must fit a frame.
  package func clipped(to byteCount: Int) -> String {
    guard utf8.count > byteCount else { return self }
    // A string rounds the end of its part down to a Unicode scalar.
    return String(self[..<utf8.index(startIndex, offsetBy: byteCount)]) + "…"
  }
}
