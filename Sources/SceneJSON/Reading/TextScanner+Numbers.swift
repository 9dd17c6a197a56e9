extension TextScanner {
  /// Checks the syntax of a number.
  @inline(__always)
  mutating func scanNumber(onto tape: inout Tape) throws(JSONError) {
    let start = position
    var isComplex = false
    if self[position] == Byte.minus { position += 1 }
    if self[position] == Byte.zero {
      position += 1
      guard !Byte.isDigit(self[position]) else { throw error(.leadingZero, at: position - 1) }
    } else {
      try scanDigits()
    }
    if self[position] == Byte.dot {
      isComplex = true
      position += 1
      try scanDigits()
    }
    if self[position] | 0x20 == Byte.lowerE {
      isComplex = true
      position += 1
      if self[position] == Byte.plus || self[position] == Byte.minus { position += 1 }
      try scanDigits()
    }
    tape.append(
      TapeEntry(
        .number, start: start, end: position, next: tape.count + 1, isComplex: isComplex))
  }

  @inline(__always)
  private mutating func scanDigits() throws(JSONError) {
    guard Byte.isDigit(self[position]) else { throw error(.missingDigits, at: position) }
    repeat {
      countStep()
      position += 1
    } while Byte.isDigit(self[position])
  }
}
