// Access to strings and members by their place on the tape. A place needs no view of a value, and
// so no reference counting.
extension DocumentReference {
  /// The bytes between the quotes of a string; valid until the next read and while the document is
  /// alive.
  @unsafe @inlinable
  func content(of entry: TapeEntry) -> UnsafeBufferPointer<UInt8> {
    // In bounds: all ranges on the tape are within the text, and a string includes both quotes.
    unsafe UnsafeBufferPointer(
      start: text + Int(entry.start) + 1, count: Int(entry.end &- entry.start) &- 2)
  }

  /// Whether the value at `place` is a string with this text.
  @unsafe @usableFromInline
  func string(at place: Int, equals other: UnsafeBufferPointer<UInt8>) -> Bool {
    let entry = self[place]
    return unsafe entry.tag == .string && string(entry, equals: other)
  }

  @unsafe
  private func string(_ entry: TapeEntry, equals other: UnsafeBufferPointer<UInt8>) -> Bool {
    let content = unsafe content(of: entry)
    return unsafe entry.isComplex
      ? isEscape(content, of: other) : areEqual(content, other)
  }

  /// The place of the first member value with this name; nil if there is none.
  @unsafe @usableFromInline
  func place(ofMember name: UnsafeBufferPointer<UInt8>, in place: Int) -> Int? {
    let object = self[place]
    guard object.tag == .object else { return nil }
    var place = place + 1
    while place < Int(object.next) {
      if unsafe string(self[place], equals: name) { return place + 1 }
      place = Int(self[place + 1].next)
    }
    return nil
  }

  /// Whether the strings at two places have the same text, escaped or not.
  func strings(at place: Int, and other: Int) -> Bool {
    #if DEBUG
      countStep()
    #endif
    let entry = self[other]
    let content = unsafe content(of: entry)
    guard entry.isComplex else { return unsafe string(at: place, equals: content) }
    return unsafe withUnescaped(content) { unsafe string(at: place, equals: $0) }
  }
}

/// Whether `escaped`, a string with escapes, equals this text.
@unsafe
private func isEscape(
  _ escaped: UnsafeBufferPointer<UInt8>, of text: UnsafeBufferPointer<UInt8>
) -> Bool {
  // Every escape is longer than its scalar.
  guard escaped.count > text.count else { return false }
  var unescaped = unsafe UnescapedBytes(escaped)
  for index in text.indices {
    guard unescaped.next() == (unsafe text[index]) else { return false }
  }
  return unescaped.next() == nil
}

/// Passes the unescaped content of a string to `body`.
@unsafe @usableFromInline
func withUnescaped<Result, Failure: Error>(
  _ content: UnsafeBufferPointer<UInt8>,
  _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
) throws(Failure) -> Result {
  // Every escape is longer than its scalar.
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
      return .success(try unsafe body(text))
    } catch {
      return .failure(error)
    }
  }
  return try result.get()
}

/// Whether both have the same bytes. Compares words; the last word may overlap the previous one.
@unsafe
func areEqual(
  _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
) -> Bool {
  let count = left.count
  guard count == right.count else { return false }
  let left = UnsafeRawBufferPointer(left)
  let right = UnsafeRawBufferPointer(right)
  /// Whether the words at `offset` are equal. Requires `offset` ≤ `count` − the size of a word.
  func match<Word: FixedWidthInteger & BitwiseCopyable>(_ word: Word.Type, at offset: Int) -> Bool {
    unsafe left.loadUnaligned(fromByteOffset: offset, as: word)
      == right.loadUnaligned(fromByteOffset: offset, as: word)
  }
  if count >= 8 {
    var offset = 0
    while offset < count - 8 {
      guard match(UInt64.self, at: offset) else { return false }
      offset += 8
    }
    return match(UInt64.self, at: count - 8)
  }
  if count >= 4 { return match(UInt32.self, at: 0) && match(UInt32.self, at: count - 4) }
  if count >= 2 { return match(UInt16.self, at: 0) && match(UInt16.self, at: count - 2) }
  return count == 0 || match(UInt8.self, at: 0)
}
