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
    defer { withExtendedLifetime(document) {} }
    let content = unsafe content(of: entry)
    guard entry.isComplex else { return try body(unsafe content.span) }
    return try unsafe withUnescaped(content, body)
  }

  /// Appends the text of a string as UTF-8, its escapes undone; nothing if it is of another kind.
  package func appendUTF8(to bytes: inout ContiguousArray<UInt8>) {
    withUTF8 { text in
      unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
  }

  /// Whether it is a string of this text.
  package func equals(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { unsafe equals($0, document.tape[index]) }
  }

  /// Whether it is a string of this text, byte for byte: without Unicode normalization.
  package func equals(_ text: String) -> Bool {
    let entry = entry
    let answer = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe equals($0, entry) }
    return answer ?? (string.map { $0.utf8.elementsEqual(text.utf8) } ?? false)
  }

  /// Whether both are strings of the same text.
  package func hasSameText(as other: JSONValue) -> Bool {
    let entry = other.entry
    guard entry.tag == .string else { return false }
    defer { withExtendedLifetime(other.document) {} }
    if !entry.isComplex { return unsafe equals(other.content(of: entry), self.entry) }
    return other.withUTF8 { text in
      unsafe text.withUnsafeBufferPointer { unsafe equals($0, self.entry) }
    } ?? false
  }

  /// What stands between the quotes; to be used only while the document is alive.
  @unsafe
  func content(of entry: TapeEntry) -> UnsafeBufferPointer<UInt8> {
    // In bounds: the tape only holds ranges within the text, and of a string with both quotes.
    unsafe UnsafeBufferPointer(
      start: document.text.base + Int(entry.start) + 1, count: Int(entry.end - entry.start) - 2)
  }

  @unsafe
  private func equals(_ text: UnsafeBufferPointer<UInt8>, _ entry: TapeEntry) -> Bool {
    guard entry.tag == .string else { return false }
    defer { withExtendedLifetime(document) {} }
    let content = unsafe content(of: entry)
    guard entry.isComplex else { return unsafe areEqual(content, text) }
    // An escape never makes a text longer.
    guard content.count > text.count else { return false }
    var unescaped = unsafe UnescapedBytes(content)
    for index in text.indices {
      guard unescaped.next() == (unsafe text[index]) else { return false }
    }
    return unescaped.next() == nil
  }
}

/// Hands the content of a string with its escapes undone to `body`.
@unsafe
private func withUnescaped<Result, Failure: Error>(
  _ content: UnsafeBufferPointer<UInt8>, _ body: (Span<UInt8>) throws(Failure) -> Result
) throws(Failure) -> Result {
  // An escape never makes a text longer.
  let result = unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: content.count) {
    room -> Swift.Result<Result, Failure> in
    var unescaped = unsafe UnescapedBytes(content)
    var count = 0
    while let byte = unescaped.next() {
      unsafe room.initializeElement(at: count, to: byte)
      count += 1
    }
    let text = unsafe UnsafeBufferPointer(rebasing: room[..<count])
    do throws(Failure) {
      return .success(try body(unsafe text.span))
    } catch {
      return .failure(error)
    }
  }
  return try result.get()
}

@unsafe
func areEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  for index in 0..<left.count {
    guard unsafe left[index] == right[index] else { return false }
  }
  return true
}
