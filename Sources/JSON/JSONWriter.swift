/// Appends JSON to a byte buffer, without whitespace. Commas are the writer's business.
///
/// Texts may follow each other, with any bytes between them: a comma is only written between the
/// values of one array or object. That names and values take turns is the caller's business.
@usableFromInline
package struct JSONWriter {
  /// What has been written. It may be read, taken, appended to and patched; `truncate(to:)` is for
  /// giving up a text that is unfinished.
  @usableFromInline package var bytes: ContiguousArray<UInt8>

  var depth = 0
  var needsComma = false

  /// A writer that has written nothing.
  package init() {
    bytes = []
  }

  /// Takes back all but the first `count` bytes; what comes next begins a new text.
  package mutating func truncate(to count: Int) {
    bytes.removeLast(bytes.count - count)
    depth = 0
    needsComma = false
  }

  /// Takes back everything but keeps the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    depth = 0
    needsComma = false
  }

  // MARK: - Containers

  /// Writes `{`.
  package mutating func beginObject() { begin(Byte.openBrace) }

  /// Writes `}`.
  package mutating func endObject() { end(Byte.closeBrace) }

  /// Writes `[`.
  package mutating func beginArray() { begin(Byte.openBracket) }

  /// Writes `]`.
  package mutating func endArray() { end(Byte.closeBracket) }

  private mutating func begin(_ bracket: UInt8) {
    append(word: UInt64(bracket), count: 1)
    depth += 1
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    precondition(depth > 0, "nothing is open")
    bytes.append(bracket)
    depth -= 1
    needsComma = depth > 0
  }

  // MARK: - Values

  /// Writes `null`.
  package mutating func null() { append(word: 0x6C6C_756E, count: 4) }

  /// Writes `true` or `false`.
  package mutating func bool(_ value: Bool) {
    // The lowest byte of a word is the first of the text.
    if value {
      append(word: 0x6575_7274, count: 4)
    } else {
      append(word: 0x65_736C_6166, count: 5)
    }
  }

  /// Writes a number.
  @usableFromInline
  package mutating func integer(_ value: Int64) {
    append(digitsOf: value.magnitude, isNegative: value < 0)
  }

  /// Writes a number.
  @usableFromInline
  package mutating func integer(_ value: UInt64) {
    append(digitsOf: value, isNegative: false)
  }

  /// Writes a number.
  @inlinable
  package mutating func integer(_ value: some BinaryInteger) {
    if let signed = Int64(exactly: value) {
      integer(signed)
    } else if let unsigned = UInt64(exactly: value) {
      integer(unsigned)
    } else {
      literal(String(value))
    }
  }

  /// Writes the shortest number that reads as the same; it must be finite.
  package mutating func double(_ value: Double) {
    precondition(value.isFinite, "JSON has no infinities and no NaN")
    literal(value.description)
  }

  /// Writes a value as it is.
  package mutating func raw(_ value: RawJSON) {
    beginValue()
    bytes.append(contentsOf: value.bytes)
  }

  /// Copies the bytes of a value of a document.
  package mutating func raw(_ value: JSONValue) {
    beginValue()
    value.withRawBytes { text in
      unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
  }

  // MARK: - Parts

  @usableFromInline
  mutating func literal(_ text: String) {
    beginValue()
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes the comma before a value or a name, if there has to be one.
  @usableFromInline
  mutating func beginValue() {
    if needsComma { bytes.append(Byte.comma) }
    needsComma = depth > 0
  }

  /// Appends the lowest bytes of a word, at most seven, as a value.
  private mutating func append(word: UInt64, count: Int) {
    // Appending once for the comma and the value is what makes short values cheap.
    let comma = needsComma ? 1 : 0
    let word = needsComma ? word << 8 | UInt64(Byte.comma) : word
    unsafe withUnsafeBytes(of: word.littleEndian) { room in
      unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: room[..<(count + comma)]))
    }
    needsComma = depth > 0
  }

  private mutating func append(digitsOf magnitude: UInt64, isNegative: Bool) {
    // At most 20 digits, a sign and a comma, written from the back.
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { room in
      var start = room.count
      func prepend(_ byte: UInt8) {
        start -= 1
        unsafe room.initializeElement(at: start, to: byte)
      }
      var rest = magnitude
      repeat {
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        prepend(Byte.zero + UInt8(truncatingIfNeeded: digit))
        rest = quotient
      } while rest != 0
      if isNegative { prepend(Byte.minus) }
      if needsComma { prepend(Byte.comma) }
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: room[start...]))
    }
    needsComma = depth > 0
  }
}
