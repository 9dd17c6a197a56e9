extension JSONWriter {
  /// Writes a member's name and the colon. The name must need no escapes.
  @inlinable @inline(__always)
  package mutating func name(_ name: StaticString) {
    name.withUTF8Buffer { unsafe append(plain: $0, colon: true) }
  }

  // A literal is to be a StaticString.
  /// Writes a member's name and the colon.
  @_disfavoredOverload
  package mutating func name(_ name: String) {
    unsafe withUTF8Buffer(of: name) { unsafe append(quoted: $0, colon: true) }
  }

  /// Copies the bytes of a member's name, and writes the colon.
  package mutating func name(_ name: JSONValue) {
    raw(name)
    output.append(Byte.colon)
    needsComma = false
  }

  /// Writes a string that needs no escapes.
  @inlinable @inline(__always)
  package mutating func string(plain text: StaticString) {
    text.withUTF8Buffer { unsafe append(plain: $0, colon: false) }
  }

  /// Writes a string. Escapes quotes, backslashes and control characters.
  package mutating func string(_ text: StaticString) {
    text.withUTF8Buffer { unsafe append(quoted: $0, colon: false) }
  }

  /// Writes a string. Escapes quotes, backslashes and control characters.
  @_disfavoredOverload
  package mutating func string(_ text: borrowing String) {
    string(utf8: text.utf8Span.span)
  }

  /// Writes a string of well-formed UTF-8.
  package mutating func string(utf8 text: Span<UInt8>) {
    unsafe text.withUnsafeBufferPointer { unsafe append(quoted: $0, colon: false) }
  }

  /// Writes a string of `count` bytes. `body` must initialize all bytes, and none may need an
  /// escape.
  @unsafe @inline(__always)
  package mutating func string(
    plainByteCount count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void
  ) {
    // A comma and two quotes.
    let room = unsafe output.reserve(count + 3)
    let length = unsafe open(room)
    unsafe body(UnsafeMutableRawBufferPointer(start: room + length, count: count))
    unsafe room[length + count] = Byte.quote
    output.commit(length + count + 1)
    needsComma = depth > 0
  }

  /// Writes a comma if needed, and a quote. Returns the number of bytes.
  @unsafe @inlinable @inline(__always)
  func open(_ room: UnsafeMutablePointer<UInt8>) -> Int {
    // The quote replaces an unneeded comma.
    unsafe room[0] = UInt8(ascii: ",")
    let place = needsComma ? 1 : 0
    unsafe room[place] = UInt8(ascii: "\"")
    return place + 1
  }

  /// Writes a text without escapes. For a literal, this compiles to a few stores.
  @unsafe @inlinable @inline(__always)
  mutating func append(plain text: UnsafeBufferPointer<UInt8>, colon: Bool) {
    assert(unsafe isPlain(text), "a member name must not need escapes")
    // A comma, two quotes and a colon.
    let room = unsafe output.reserve(text.count + 4)
    var length = unsafe open(room)
    unsafe copy(text, to: UnsafeMutableRawPointer(room + length))
    length += text.count
    unsafe room[length] = UInt8(ascii: "\"")
    unsafe room[length + 1] = UInt8(ascii: ":")
    output.commit(length + (colon ? 2 : 1))
    needsComma = !colon && depth > 0
  }

  @unsafe @inline(__always)
  private mutating func append(quoted text: UnsafeBufferPointer<UInt8>, colon: Bool) {
    // A comma, two quotes and a colon.
    let room = unsafe output.reserve(text.count + 4)
    var length = unsafe open(room)
    if unsafe copyPlain(text, to: UnsafeMutableRawPointer(room + length)) {
      length += text.count
      unsafe room[length] = Byte.quote
      unsafe room[length + 1] = Byte.colon
      output.commit(length + (colon ? 2 : 1))
    } else {
      unsafe append(quotedWithEscapes: text, colon: colon)
    }
    needsComma = !colon && depth > 0
  }

  @unsafe @inline(never)
  private mutating func append(
    quotedWithEscapes text: UnsafeBufferPointer<UInt8>, colon: Bool
  ) {
    beginValue()
    output.append(Byte.quote)
    unsafe append(escaping: text)
    output.append(Byte.quote)
    if colon { output.append(Byte.colon) }
  }

  @unsafe
  private mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while let place = unsafe nextToEscape(in: text, from: start) {
      unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<place]))
      appendEscape(of: unsafe text[place])
      start = place + 1
    }
    unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
  }

  private mutating func appendEscape(of byte: UInt8) {
    output.append(Byte.backslash)
    switch byte {
    case 0x08: output.append(Byte.lowerB)
    case 0x0C: output.append(Byte.lowerF)
    case Byte.newline: output.append(Byte.lowerN)
    case Byte.carriageReturn: output.append(Byte.lowerR)
    case Byte.tab: output.append(Byte.lowerT)
    case 0..<Byte.space:
      output.append(Byte.lowerU)
      output.append(Byte.zero)
      output.append(Byte.zero)
      output.append(Byte.zero + byte >> 4)
      output.append(hexadecimalDigit(byte & 0xF))
    default: output.append(byte)
    }
  }
}

/// Copies words; the last word may overlap the previous one.
@unsafe @inlinable @inline(__always)
func copy(_ text: UnsafeBufferPointer<UInt8>, to target: UnsafeMutableRawPointer) {
  let source = UnsafeRawBufferPointer(text)
  let count = text.count
  /// Requires `offset` ≤ `count` − the size of a word.
  @inline(__always)
  func copy<Word: BitwiseCopyable>(_ type: Word.Type, at offset: Int) {
    unsafe target.storeBytes(
      of: source.loadUnaligned(fromByteOffset: offset, as: type), toByteOffset: offset, as: type)
  }
  if count >= 8 {
    var offset = 0
    while offset < count - 8 {
      copy(UInt64.self, at: offset)
      offset += 8
    }
    copy(UInt64.self, at: count - 8)
  } else if count >= 4 {
    copy(UInt32.self, at: 0)
    copy(UInt32.self, at: count - 4)
  } else if count >= 2 {
    copy(UInt16.self, at: 0)
    copy(UInt16.self, at: count - 2)
  } else if count == 1 {
    copy(UInt8.self, at: 0)
  }
}

/// Whether a text needs no escapes.
@unsafe @usableFromInline
func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
  unsafe nextToEscape(in: text, from: 0) == nil
}

/// Copies a text to reserved space. Returns false if the text needs escapes; the copy may then be
/// incomplete.
@unsafe @inline(__always)
private func copyPlain(
  _ text: UnsafeBufferPointer<UInt8>, to target: UnsafeMutableRawPointer
) -> Bool {
  let source = UnsafeRawBufferPointer(text)
  let count = text.count
  /// Copies one word and returns the marks of the bytes to escape. Requires `offset` ≤ `count` −
  /// the size of a word.
  @inline(__always)
  func copy<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type, at offset: Int) -> UInt64
  {
    let word = unsafe source.loadUnaligned(fromByteOffset: offset, as: type)
    unsafe target.storeBytes(of: word, toByteOffset: offset, as: type)
    // Pads a text of less than eight bytes with spaces, which need no escape.
    let spaces: UInt64 = 0x2020_2020_2020_2020
    let wide = UInt64(truncatingIfNeeded: UInt64(Word(littleEndian: word)))
    return bytesToEscape(in: Word.bitWidth == 64 ? wide : spaces << UInt64(Word.bitWidth) | wide)
  }
  // The last word may overlap the previous one.
  if count >= 8 {
    var offset = 0
    while offset < count - 8 {
      guard copy(UInt64.self, at: offset) == 0 else { return false }
      offset += 8
    }
    return copy(UInt64.self, at: count - 8) == 0
  }
  if count >= 4 { return copy(UInt32.self, at: 0) | copy(UInt32.self, at: count - 4) == 0 }
  if count >= 2 { return copy(UInt16.self, at: 0) | copy(UInt16.self, at: count - 2) == 0 }
  return count == 0 || copy(UInt8.self, at: 0) == 0
}

/// The offset of the first quote, backslash or control character ≥ `offset`.
@unsafe
private func nextToEscape(in text: UnsafeBufferPointer<UInt8>, from offset: Int) -> Int? {
  var offset = offset
  let bytes = UnsafeRawBufferPointer(text)
  while offset + 8 <= bytes.count {
    // In bounds by the condition of the loop.
    let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    let found = bytesToEscape(in: UInt64(littleEndian: word))
    if found != 0 { return offset + found.trailingZeroBitCount / 8 }
    offset += 8
  }
  while offset < bytes.count {
    if needsEscape(unsafe bytes[offset]) { return offset }
    offset += 1
  }
  return nil
}

/// Sets the high bit of the first byte that needs an escape; 0 if there is none.
///
/// Marks after the first one may be wrong because of the borrow.
@inline(__always)
private func bytesToEscape(in word: UInt64) -> UInt64 {
  stoppingBytes(in: word) & ~word
}

@inline(__always)
private func needsEscape(_ byte: UInt8) -> Bool {
  byte < Byte.space || byte == Byte.quote || byte == Byte.backslash
}

private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? Byte.zero + value : 0x61 - 10 + value
}
