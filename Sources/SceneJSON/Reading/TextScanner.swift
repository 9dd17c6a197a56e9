/// Scans one text onto a tape, in one pass.
///
/// The scanner does not recurse: the tape links the open containers. Each step increases
/// `position`, so the time is linear in the length of the text.
@safe
struct TextScanner: ~Copyable {
  /// The text, followed by zeros. A zero ends every token, so `position` ≤ `end`, and a word at
  /// `end` is within the padding.
  let text: UnsafePointer<UInt8>
  let end: Int
  var position = 0

  private let maximumDepth: Int
  /// The place of the innermost open container, or −1; the number of open containers; the closing
  /// byte.
  private var open = -1
  private var depth = 0
  private var closer: UInt8 = 0

  #if DEBUG
    /// The number of loop iterations; tests compare it with the length of the text.
    private(set) var steps = 0
  #endif

  init(_ text: borrowing TextBuffer, maximumDepth: Int) {
    unsafe self.text = UnsafePointer(text.base)
    end = text.count
    // The depth of a tape entry has 16 bits.
    self.maximumDepth = min(maximumDepth, Int(UInt16.max))
  }

  /// Reads the whole text.
  mutating func scan(onto tape: inout Tape) throws(JSONError) {
    var expectsValue = true
    while expectsValue {
      countStep()
      skipWhitespace()
      expectsValue = try scanValue(onto: &tape)
      if !expectsValue { expectsValue = try scanSeparator(onto: &tape) }
    }
  }

  /// The byte at `offset` ≤ `end`; zero at `end`.
  subscript(offset: Int) -> UInt8 {
    @inline(__always) get { unsafe text[offset] }
  }

  /// Eight bytes at `offset` ≤ `end`, little-endian.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    // In bounds: the padding is longer than a word.
    let word = unsafe UnsafeRawPointer(text + offset).loadUnaligned(as: UInt64.self)
    return UInt64(littleEndian: word)
  }

  /// Two words at `offset` ≤ `end`, each little-endian.
  @inline(__always)
  func pair(at offset: Int) -> SIMD2<UInt64> {
    // In bounds: the padding is as long as two words.
    let words = unsafe UnsafeRawPointer(text + offset).loadUnaligned(as: SIMD2<UInt64>.self)
    return SIMD2(UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
  }

  @inline(__always)
  mutating func countStep() {
    #if DEBUG
      steps += 1
    #endif
  }

  @inline(__always)
  mutating func skipWhitespace() {
    while self[position] <= Byte.space {
      countStep()
      switch self[position] {
      case Byte.space, Byte.newline, Byte.carriageReturn, Byte.tab: position += 1
      default: return
      }
    }
  }
}

// MARK: - Between the values
extension TextScanner {
  /// Scans a scalar, or opens an array or object. Returns whether a first value follows.
  @inline(__always)
  private mutating func scanValue(onto tape: inout Tape) throws(JSONError) -> Bool {
    let byte = self[position]
    if byte == Byte.quote {
      try scanString(onto: &tape)
    } else if byte == Byte.openBrace || byte == Byte.openBracket {
      try push(byte, onto: &tape)
      skipWhitespace()
      guard self[position] != closer else { return false }
      if closer == Byte.closeBrace { try scanName(onto: &tape) }
      return true
    } else if Byte.isDigit(byte) || byte == Byte.minus {
      try scanNumber(onto: &tape)
    } else {
      try scanLiteral(onto: &tape)
    }
    return false
  }

  /// Scans closing brackets, then a comma (and the next name) or the end of the text. Returns
  /// whether a value follows.
  @inline(__always)
  private mutating func scanSeparator(onto tape: inout Tape) throws(JSONError) -> Bool {
    while open >= 0 {
      countStep()
      skipWhitespace()
      let byte = self[position]
      if byte == Byte.comma {
        position += 1
        skipWhitespace()
        if self[position] == closer { throw error(.trailingComma, at: position) }
        if closer == Byte.closeBrace { try scanName(onto: &tape) }
        return true
      }
      guard byte == closer else {
        throw error(
          closer == Byte.closeBrace ? .expectedCommaOrBrace : .expectedCommaOrBracket, at: position)
      }
      pop(from: &tape)
    }
    skipWhitespace()
    guard position == end else { throw error(.textAfterValue, at: position) }
    return false
  }

  /// Scans a name and its colon.
  @inline(__always)
  private mutating func scanName(onto tape: inout Tape) throws(JSONError) {
    guard self[position] == Byte.quote else { throw error(.expectedName, at: position) }
    try scanString(onto: &tape)
    skipWhitespace()
    guard self[position] == Byte.colon else { throw error(.expectedColon, at: position) }
    position += 1
  }

  @inline(__always)
  private mutating func push(_ opener: UInt8, onto tape: inout Tape) throws(JSONError) {
    depth += 1
    guard depth <= maximumDepth else { throw error(.tooDeep, at: position) }
    let place = tape.count
    // The `end` of an open container links to its parent.
    tape.append(
      TapeEntry(
        opener == Byte.openBrace ? .object : .array,
        start: position, end: open + 1, next: 0, depth: 1))
    open = place
    // In ASCII, each closing bracket is its opening bracket + 2.
    closer = opener + 2
    position += 1
  }

  @inline(__always)
  private mutating func pop(from tape: inout Tape) {
    position += 1
    depth -= 1
    var entry = tape[open]
    let parent = Int(entry.end) - 1
    entry.end = UInt32(truncatingIfNeeded: position)
    entry.next = UInt32(truncatingIfNeeded: tape.count)
    tape[open] = entry
    open = parent
    guard parent >= 0 else { return }
    if tape[parent].depth <= entry.depth { tape[parent].depth = entry.depth + 1 }
    closer = tape[parent].tag == .object ? Byte.closeBrace : Byte.closeBracket
  }
}

// MARK: - Literals and errors
extension TextScanner {
  @inline(__always)
  private mutating func scanLiteral(onto tape: inout Tape) throws(JSONError) {
    // The lowest byte of a word is the first of the text.
    let fourBytes = word(at: position) & 0xFFFF_FFFF
    let tag: TapeTag
    var length = 4
    if fourBytes == 0x6575_7274 {
      tag = .true
    } else if fourBytes == 0x6C6C_756E {
      tag = .null
    } else if fourBytes == 0x736C_6166, self[position + 4] == Byte.lowerE {
      tag = .false
      length = 5
    } else {
      throw notAValue()
    }
    tape.append(
      TapeEntry(tag, start: position, end: position + length, next: tape.count + 1))
    position += length
  }

  /// The error at a position where no value begins.
  @inline(never)
  private func notAValue() -> JSONError {
    if position == 0, word(at: 0) & 0xFF_FFFF == 0xBF_BBEF { return error(.byteOrderMark, at: 0) }
    var flaw =
      switch self[position] {
      case Byte.lowerT, Byte.lowerF, Byte.lowerN, 0x49, 0x4E: error(.invalidLiteral, at: position)
      case Byte.plus: error(.leadingPlus, at: position)
      case Byte.dot: error(.missingDigits, at: position)
      default: error(.expectedValue, at: position)
      }
    flaw.found = foundWord
    return flaw
  }

  /// The first letters and digits at this position; nil if there are none.
  private var foundWord: String? {
    var length = 0
    while length < 20, Byte.isWordPart(self[position + length]) { length += 1 }
    guard length > 0 else { return nil }
    return String(decoding: (position..<position + length).map { self[$0] }, as: UTF8.self)
  }

  /// The error at `offset`. At the end of the text, the reason is always the early end.
  @inline(never)
  func error(_ reason: JSONError.Reason, at offset: Int) -> JSONError {
    if offset == end, reason != .textAfterValue { return JSONError(.unexpectedEnd, at: end) }
    return JSONError(self[offset] == Byte.slash ? .comment : reason, at: offset)
  }
}
