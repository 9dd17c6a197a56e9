/// Appends JSON to a byte buffer, without whitespace. The writer adds the commas.
///
/// The buffer may contain several texts with other bytes between them: the writer adds commas only
/// within an array or object. The caller must alternate names and values.
@usableFromInline
package struct JSONWriter: ~Copyable, Sendable {
  /// The written bytes. The caller may read, append and patch them. To discard an unfinished text,
  /// call `truncate(to:)` of the writer.
  @usableFromInline package var output = ByteBuffer()

  @usableFromInline var depth = 0
  @usableFromInline var needsComma = false

  package init() {}

  /// A copy of the written bytes.
  package var bytes: ContiguousArray<UInt8> { output.bytes }

  /// Removes all but the first `count` bytes. The next value begins a new text.
  package mutating func truncate(to count: Int) {
    output.truncate(to: count)
    depth = 0
    needsComma = false
  }

  /// Removes all bytes and keeps the memory.
  package mutating func removeAll() { truncate(to: 0) }

  // MARK: - Containers

  /// Writes `{`.
  package mutating func beginObject() { begin(Byte.openBrace) }

  /// Writes `{` and constant members: `"a":1,"b":true`.
  package mutating func beginObject(with members: StaticString) {
    beginObject()
    members.withUTF8Buffer { unsafe output.append(contentsOf: $0) }
    needsComma = true
  }

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
    precondition(depth > 0, "no array or object is open")
    output.append(bracket)
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
  @inlinable
  package mutating func integer(_ value: some BinaryInteger) {
    if let signed = Int64(exactly: value) {
      integer(signed)
    } else {
      literal(String(value))
    }
  }

  /// Writes the shortest number with the same value. `value` must be finite.
  package mutating func double(_ value: Double) {
    precondition(value.isFinite, "JSON has no infinities and no NaN")
    literal(value.description)
  }

  /// Writes the bytes of a value.
  package mutating func raw(_ value: RawJSON) {
    beginValue()
    output.append(contentsOf: value.bytes.span)
  }

  /// Copies the bytes of a value of a document.
  package mutating func raw(_ value: JSONValue) {
    beginValue()
    value.withRawBytes { output.append(contentsOf: $0) }
  }

  // MARK: - Parts

  @usableFromInline
  mutating func literal(_ text: String) {
    beginValue()
    unsafe withUTF8Buffer(of: text) { unsafe output.append(contentsOf: $0) }
  }

  /// Writes a comma before a value or a name, if needed.
  mutating func beginValue() {
    if needsComma { output.append(Byte.comma) }
    needsComma = depth > 0
  }

  /// Appends the lowest `count` ≤ 7 bytes of a word as a value.
  private mutating func append(word: UInt64, count: Int) {
    let comma = needsComma ? 1 : 0
    let word = needsComma ? word << 8 | UInt64(Byte.comma) : word
    let room = unsafe UnsafeMutableRawPointer(output.reserve(8))
    unsafe room.storeBytes(of: word.littleEndian, as: UInt64.self)
    output.commit(count + comma)
    needsComma = depth > 0
  }

  private mutating func append(digitsOf magnitude: UInt64, isNegative: Bool) {
    // At most 20 digits, a sign and a comma.
    let room = unsafe output.reserve(24)
    var length = 0
    if needsComma {
      unsafe room[0] = Byte.comma
      length = 1
    }
    if isNegative {
      unsafe room[length] = Byte.minus
      length += 1
    }
    let start = length
    length += decimalDigitCount(of: magnitude)
    var place = length
    var rest = magnitude
    // Two digits for each division, because a division waits for the previous one.
    while rest >= 10 {
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      place -= 2
      let (tens, ones) = pair.quotientAndRemainder(dividingBy: 10)
      unsafe room[place] = Byte.zero + UInt8(truncatingIfNeeded: tens)
      unsafe room[place + 1] = Byte.zero + UInt8(truncatingIfNeeded: ones)
      rest = quotient
    }
    if place > start { unsafe room[start] = Byte.zero + UInt8(truncatingIfNeeded: rest) }
    output.commit(length)
    needsComma = depth > 0
  }
}

private func decimalDigitCount(of number: UInt64) -> Int {
  var count = 1
  var rest = number
  while rest >= 10_000 {
    count += 4
    rest /= 10_000
  }
  return rest < 100 ? (rest < 10 ? count : count + 1) : (rest < 1000 ? count + 2 : count + 3)
}
