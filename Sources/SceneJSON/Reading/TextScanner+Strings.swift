extension TextScanner {
  /// Checks a string, from quote to quote.
  @inline(__always)
  mutating func scanString(onto tape: inout Tape) throws(JSONError) {
    let start = position
    var offset = position + 1
    var hasEscapes = false
    while true {
      offset = skipPlain(from: offset)
      let byte = self[offset]
      if byte == Byte.quote { break }
      if byte == Byte.backslash { hasEscapes = true }
      offset = try scanSpecial(at: offset)
    }
    position = offset + 1
    tape.append(
      TapeEntry(
        .string, start: start, end: position, next: tape.count + 1, isComplex: hasEscapes))
  }

  /// The offset of the first byte that is no plain character of a string.
  @inline(__always)
  private mutating func skipPlain(from offset: Int) -> Int {
    countStep()
    let stops = stoppingBytes(in: word(at: offset))
    if stops != 0 { return offset + stops.trailingZeroBitCount / 8 }
    // A long string: two words at once.
    var offset = offset + 8
    while true {
      countStep()
      let stops = stoppingBytes(in: pair(at: offset))
      if stops[0] | stops[1] != 0 {
        return stops[0] != 0
          ? offset + stops[0].trailingZeroBitCount / 8
          : offset + 8 + stops[1].trailingZeroBitCount / 8
      }
      offset += 16
    }
  }

  /// Scans consecutive escapes or non-ASCII scalars. Returns the offset after them.
  @inline(never)
  private func scanSpecial(at offset: Int) throws(JSONError) -> Int {
    let byte = self[offset]
    if byte == Byte.backslash { return try scanEscape(at: offset) }
    guard byte >= 0x80 else { throw error(.controlCharacter, at: offset) }
    var offset = offset
    repeat { offset = try scanScalar(at: offset) } while self[offset] >= 0x80
    return offset
  }

  /// Checks one scalar that is not ASCII, by table 3-7 of the Unicode standard.
  @inline(__always)
  private func scanScalar(at offset: Int) throws(JSONError) -> Int {
    let lead = self[offset]
    // Some lead bytes restrict the second byte: no overlong forms, no surrogates, no scalar >
    // U+10FFFF.
    let length: Int
    var lowest: UInt8 = 0x80
    var highest: UInt8 = 0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0:
      length = 3
      lowest = 0xA0
    case 0xED:
      length = 3
      highest = 0x9F
    case 0xE1...0xEF: length = 3
    case 0xF0:
      length = 4
      lowest = 0x90
    case 0xF1...0xF3: length = 4
    case 0xF4:
      length = 4
      highest = 0x8F
    default: throw JSONError(.invalidUTF8, at: offset)
    }
    let second = self[offset + 1]
    // The zero at the end of the text is no continuation byte.
    guard second >= lowest, second <= highest,
      length < 3 || isContinuation(self[offset + 2]),
      length < 4 || isContinuation(self[offset + 3])
    else { throw JSONError(.invalidUTF8, at: offset) }
    return offset + length
  }

  @inline(__always)
  private func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// Checks the escape at `offset`. A surrogate needs its other half.
  private func scanEscape(at offset: Int) throws(JSONError) -> Int {
    switch self[offset + 1] {
    case Byte.quote, Byte.backslash, Byte.slash, Byte.lowerB, Byte.lowerF, Byte.lowerN,
      Byte.lowerR, Byte.lowerT:
      return offset + 2
    case Byte.lowerU:
      break
    default:
      throw badEscape(at: offset, by: offset + 1)
    }
    let unit = try scanHexadecimal(after: offset)
    guard unit & 0xF800 == 0xD800 else { return offset + 6 }
    guard unit < 0xDC00, self[offset + 6] == Byte.backslash, self[offset + 7] == Byte.lowerU,
      try scanHexadecimal(after: offset + 6) & 0xFC00 == 0xDC00
    else { throw JSONError(.loneSurrogate, at: offset) }
    return offset + 12
  }

  /// The four digits of the `\u` at `offset`.
  private func scanHexadecimal(after offset: Int) throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for place in offset + 2..<offset + 6 {
      guard let digit = hexadecimalValue(self[place]) else {
        throw badEscape(at: offset, by: place)
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  private func badEscape(at offset: Int, by wrong: Int) -> JSONError {
    wrong == end ? JSONError(.unexpectedEnd, at: end) : JSONError(.invalidEscape, at: offset)
  }
}

/// Sets the high bit of the first byte that is no plain character of a string: a quote, a
/// backslash, a control character or non-ASCII.
///
/// Marks after the first one may be wrong because of the borrow. `byte ^ 2 <= 0x20` is true for
/// the quote (0x22) and the control characters, and for no other ASCII byte.
@inline(__always)
func stoppingBytes(in word: UInt64) -> UInt64 {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let quotesAndControls = (word ^ (ones &* 2)) &- (ones &* 0x21)
  let backslashes = (word ^ (ones &* UInt64(Byte.backslash))) &- ones
  return (quotesAndControls | backslashes | word) & (ones &* 0x80)
}

/// The same for two words.
@inline(__always)
private func stoppingBytes(in words: SIMD2<UInt64>) -> SIMD2<UInt64> {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let quotesAndControls = (words ^ SIMD2(repeating: ones &* 2)) &- SIMD2(repeating: ones &* 0x21)
  let backslashes =
    (words ^ SIMD2(repeating: ones &* UInt64(Byte.backslash))) &- SIMD2(repeating: ones)
  return (quotesAndControls | backslashes | words) & SIMD2(repeating: ones &* 0x80)
}

func hexadecimalValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: byte - 0x30
  case 0x41...0x46: byte - 0x41 + 10
  case 0x61...0x66: byte - 0x61 + 10
  default: nil
  }
}
