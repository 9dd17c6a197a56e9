extension JSONValue {
  /// The text of a string, its escapes undone, or nil if it is of another kind.
  package var string: String? {
    withUTF8 { bytes in
      unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Hands the text of a string to `body` as UTF-8, its escapes undone; nil if it is of another
  /// kind. No `String` is made, and nothing allocated unless it is long and has escapes.
  package func withUTF8<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let entry = entry
    guard entry.tag == .string else { return nil }
    document.lend()
    defer { document.takeBack() }
    let content = unsafe document.content(of: entry)
    guard entry.isComplex else { return try body(unsafe content.span) }
    return try unsafe withUnescaped(content) { text throws(Failure) in
      try body(unsafe text.span)
    }
  }

  /// The text of a string of one to eight bytes without escapes, the first byte as the lowest; nil
  /// for anything else.
  @inlinable
  package var shortText: UInt64? { shortText(at: index) }

  /// The same of another string of the document, by its place.
  @inlinable
  package func shortText(at place: Int) -> UInt64? {
    let entry = document.tape[place]
    let count = Int(entry.end &- entry.start) &- 2
    guard entry.tag == .string, !entry.isComplex, count >= 1, count <= 8 else { return nil }
    // In bounds: the padding after the text is longer than a word.
    let word = unsafe UnsafeRawPointer(document.text.base).loadUnaligned(
      fromByteOffset: Int(entry.start) + 1, as: UInt64.self)
    return UInt64(littleEndian: word) & (UInt64.max >> UInt64(64 &- 8 &* count))
  }

  /// Whether it is a string of this text.
  @inlinable
  package func equals(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { unsafe document.string(at: index, equals: $0) }
  }

  /// Whether it is a string of this text, byte for byte: without Unicode normalization.
  @_disfavoredOverload
  package func equals(_ text: String) -> Bool {
    unsafe withUTF8Buffer(of: text) { unsafe document.string(at: index, equals: $0) }
  }

  /// Whether both are strings of the same text; the other may be of another document.
  package func equals(_ other: JSONValue) -> Bool {
    other.withUTF8 { text in
      unsafe text.withUnsafeBufferPointer { unsafe document.string(at: index, equals: $0) }
    } ?? false
  }
}

/// Hands the UTF-8 of a text to `body`, without a copy unless the text comes from elsewhere.
@unsafe @usableFromInline
func withUTF8Buffer<Result>(
  of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
  if let result = unsafe text.utf8.withContiguousStorageIfAvailable(body) { return result }
  return unsafe ContiguousArray(text.utf8).withUnsafeBufferPointer(body)
}
