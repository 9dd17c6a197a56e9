extension JSONValue {
  /// The unescaped text of a string; nil for another kind.
  package var string: String? {
    withUTF8 { bytes in
      unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Passes the unescaped UTF-8 of a string to `body`; nil for another kind. Allocates only for a
  /// long string with escapes.
  @inlinable
  package func withUTF8<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let entry = entry
    guard entry.tag == .string else { return nil }
    document.beginAccess()
    defer { document.endAccess() }
    let content = unsafe document.content(of: entry)
    guard entry.isComplex else { return try body(unsafe content.span) }
    return try unsafe withUnescaped(content) { text throws(Failure) in
      try body(unsafe text.span)
    }
  }

  /// The text of a string of 1 to 8 bytes without escapes, little-endian; nil for all other values.
  @inlinable
  package var shortText: UInt64? { shortText(at: index) }

  /// The same for a string at a place of the document.
  @inlinable
  package func shortText(at place: Int) -> UInt64? {
    let entry = document[place]
    let count = Int(entry.end &- entry.start) &- 2
    guard entry.tag == .string, !entry.isComplex, count >= 1, count <= 8 else { return nil }
    // In bounds: the padding is longer than a word.
    let word = unsafe UnsafeRawPointer(document.text).loadUnaligned(
      fromByteOffset: Int(entry.start) + 1, as: UInt64.self)
    return UInt64(littleEndian: word) & (UInt64.max >> UInt64(64 &- 8 &* count))
  }

  /// Whether the value is a string with this text.
  @inlinable
  package func equals(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { unsafe document.string(at: index, equals: $0) }
  }

  /// Whether the value is a string with these bytes, without Unicode normalization.
  @_disfavoredOverload
  package func equals(_ text: String) -> Bool {
    unsafe withUTF8Buffer(of: text) { unsafe document.string(at: index, equals: $0) }
  }

  /// Whether both are strings with the same text, also from different documents.
  package func equals(_ other: JSONValue) -> Bool {
    other.withUTF8 { text in
      unsafe text.withUnsafeBufferPointer { unsafe document.string(at: index, equals: $0) }
    } ?? false
  }
}

/// Passes the UTF-8 of a text to `body`. Copies only a bridged text.
@unsafe @usableFromInline
func withUTF8Buffer<Result>(
  of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
  if let result = unsafe text.utf8.withContiguousStorageIfAvailable(body) { return result }
  return unsafe ContiguousArray(text.utf8).withUnsafeBufferPointer(body)
}
