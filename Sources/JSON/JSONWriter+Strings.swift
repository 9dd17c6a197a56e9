extension JSONWriter {
  /// Writes a member's name and the colon.
  package mutating func name(_ name: StaticString) {
    name.withUTF8Buffer { unsafe append(quoted: $0, colon: true) }
  }

  // A literal is to be a StaticString.
  /// Writes a member's name and the colon.
  @_disfavoredOverload
  package mutating func name(_ name: String) {
    unsafe withUTF8Buffer(of: name) { unsafe append(quoted: $0, colon: true) }
  }

  /// Writes a string; only what has to be escaped is: quotes, backslashes, control characters.
  package mutating func string(_ text: StaticString) {
    text.withUTF8Buffer { unsafe append(quoted: $0, colon: false) }
  }

  /// Writes a string; only what has to be escaped is: quotes, backslashes, control characters.
  @_disfavoredOverload
  package mutating func string(_ text: String) {
    unsafe withUTF8Buffer(of: text) { unsafe append(quoted: $0, colon: false) }
  }

  /// Writes a string of this UTF-8, which must be well-formed.
  package mutating func string(utf8 text: Span<UInt8>) {
    unsafe text.withUnsafeBufferPointer { unsafe append(quoted: $0, colon: false) }
  }

  @unsafe
  private mutating func append(quoted text: UnsafeBufferPointer<UInt8>, colon: Bool) {
    if unsafe text.count > Self.short || !appendShort(quoted: text, colon: colon) {
      beginValue()
      bytes.append(Byte.quote)
      unsafe append(escaping: text)
      bytes.append(Byte.quote)
      if colon { bytes.append(Byte.colon) }
    }
    needsComma = !colon && depth > 0
  }

  /// The greatest length for which it pays to put a string together before it is appended.
  private static var short: Int { 88 }

  /// Appends comma, quotes, text and colon at once, unless something has to be escaped.
  @unsafe
  private mutating func appendShort(
    quoted text: UnsafeBufferPointer<UInt8>, colon: Bool
  ) -> Bool {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.short + 8) { room in
      var count = 0
      func put(_ byte: UInt8) {
        unsafe room[count] = byte
        count += 1
      }
      if needsComma { put(Byte.comma) }
      put(Byte.quote)
      guard unsafe copyPlain(text, to: room, at: count) else { return false }
      count += text.count
      put(Byte.quote)
      if colon { put(Byte.colon) }
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: room[..<count]))
      return true
    }
  }

  @unsafe
  private mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while let place = unsafe nextToEscape(in: text, from: start) {
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<place]))
      appendEscape(of: unsafe text[place])
      start = place + 1
    }
    unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
  }

  private mutating func appendEscape(of byte: UInt8) {
    bytes.append(Byte.backslash)
    switch byte {
    case 0x08: bytes.append(Byte.lowerB)
    case 0x0C: bytes.append(Byte.lowerF)
    case Byte.newline: bytes.append(Byte.lowerN)
    case Byte.carriageReturn: bytes.append(Byte.lowerR)
    case Byte.tab: bytes.append(Byte.lowerT)
    case 0..<Byte.space:
      bytes.append(Byte.lowerU)
      bytes.append(Byte.zero)
      bytes.append(Byte.zero)
      bytes.append(Byte.zero + byte >> 4)
      bytes.append(hexadecimalDigit(byte & 0xF))
    default: bytes.append(byte)
    }
  }
}

/// Copies a text to a place with enough room; false if something in it has to be escaped.
@unsafe @inline(__always)
private func copyPlain(
  _ text: UnsafeBufferPointer<UInt8>, to room: UnsafeMutableBufferPointer<UInt8>, at place: Int
) -> Bool {
  let source = UnsafeRawBufferPointer(text)
  let target = UnsafeMutableRawBufferPointer(room)
  let count = text.count
  func copyWord(at offset: Int) -> Bool {
    // In bounds: the callers leave a word's room behind `offset`.
    let word = unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    unsafe target.storeBytes(of: word, toByteOffset: place + offset, as: UInt64.self)
    return bytesToEscape(in: word) == 0
  }
  guard count >= 8 else {
    for offset in 0..<count {
      let byte = unsafe source[offset]
      unsafe target[place + offset] = byte
      if needsEscape(byte) { return false }
    }
    return true
  }
  var offset = 0
  while offset < count - 8 {
    guard copyWord(at: offset) else { return false }
    offset += 8
  }
  // The last word may overlap the one before.
  return copyWord(at: count - 8)
}

/// The first place from `offset` on of a quote, a backslash or a control character.
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

/// The high bit is set in the first byte that has to be escaped; none if no byte has to.
///
/// Bytes after the first such one may be marked wrongly, because of the borrow.
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
