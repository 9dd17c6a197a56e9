extension JSONWriter {
  /// Writes a string; only what has to be escaped is: quotes, backslashes, control characters.
  package mutating func string(_ text: StaticString) {
    text.withUTF8Buffer { unsafe string(utf8: $0) }
  }

  /// Writes a string; only what has to be escaped is: quotes, backslashes, control characters.
  package mutating func string(_ text: String) {
    let wasContiguous: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { utf8 in
      unsafe string(utf8: utf8)
    }
    guard wasContiguous == nil else { return }
    unsafe ContiguousArray(text.utf8).withUnsafeBufferPointer { unsafe string(utf8: $0) }
  }

  @unsafe
  private mutating func string(utf8 text: UnsafeBufferPointer<UInt8>) {
    beginValue()
    bytes.append(Byte.quote)
    var start = 0
    var offset = 0
    while let place = unsafe nextToEscape(in: text, from: offset) {
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<place]))
      appendEscape(of: unsafe text[place])
      offset = place + 1
      start = offset
    }
    unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    bytes.append(Byte.quote)
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
      bytes.append(contentsOf: [Byte.lowerU, Byte.zero, Byte.zero])
      bytes.append(Byte.zero + byte >> 4)
      bytes.append(hexadecimalDigit(byte & 0xF))
    default: bytes.append(byte)
    }
  }
}

/// The first place from `offset` on of a quote, a backslash or a control character.
@unsafe
private func nextToEscape(in text: UnsafeBufferPointer<UInt8>, from offset: Int) -> Int? {
  var offset = offset
  let bytes = UnsafeRawBufferPointer(text)
  while offset + 8 <= bytes.count {
    // In bounds by the condition of the loop.
    let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    // Bytes that are not ASCII stop here too, and are then looked at one by one.
    if stoppingBytes(in: word) != 0 { break }
    offset += 8
  }
  while offset < bytes.count {
    if needsEscape(unsafe bytes[offset]) { return offset }
    offset += 1
  }
  return nil
}

@inline(__always)
private func needsEscape(_ byte: UInt8) -> Bool {
  byte < Byte.space || byte == Byte.quote || byte == Byte.backslash
}

private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? Byte.zero + value : 0x61 - 10 + value
}
