package import SceneJSON

/// Reads a structure from the text that the broker's own writer made of it, without a tape.
///
/// The writer has one form: the members in the order of `visitMembers`, no whitespace, and no
/// member that equals its standard value. The reader fails at another form, and the caller then
/// parses the text. In values that the broker stores unread, the reader checks only brackets, depth
/// and control characters: the broker checked them before it wrote them, and the record has a
/// checksum.
@safe
package struct RecordBodyReader: MemberVisitor {
  /// The text has another form.
  package struct OtherForm: Error {}

  private let text: UnsafeRawBufferPointer
  private let end: Int
  private var position = 0
  /// Whether the next member is the first of its object.
  private var isFirst = true
  /// For values without a form of their own.
  private let document: JSONDocument

  @unsafe
  private init(_ text: UnsafeRawBufferPointer, _ document: JSONDocument) {
    unsafe self.text = text
    end = text.count
    self.document = document
  }

  /// Reads a whole text; nil if it has another form.
  package static func read<Value: JSONCodable>(
    _ type: Value.Type, from text: Span<UInt8>, with document: JSONDocument
  ) -> Value? {
    unsafe text.withUnsafeBytes { bytes in
      var reader = unsafe RecordBodyReader(bytes, document)
      guard let value = try? Value(written: &reader), reader.position == reader.end
      else { return nil }
      return value
    }
  }

  // MARK: - Members

  package mutating func required<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Value
  ) throws(OtherForm) {
    guard takeName(name) else { throw OtherForm() }
    value = try Value(written: &self)
  }

  package mutating func optional<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Value?
  ) throws(OtherForm) {
    value = takeName(name) ? try Value(written: &self) : nil
  }

  package mutating func required<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Value?
  ) throws(OtherForm) {
    guard takeName(name) else { throw OtherForm() }
    value = take("null") ? nil : try Value(written: &self)
  }

  package mutating func optional<Value: JSONCodable & Equatable>(
    _ name: StaticString, _ value: inout Value, otherwise standard: Value
  ) throws(OtherForm) {
    value = takeName(name) ? try Value(written: &self) : standard
  }

  package mutating func optional<Value: JSONCodable>(
    _ name: StaticString, _ value: inout Patch<Value>
  ) throws(OtherForm) {
    guard takeName(name) else {
      value = .absent
      return
    }
    value = take("null") ? .null : .value(try Value(written: &self))
  }

  /// Reads an object into a structure.
  mutating func members<Structure: JSONStructure>(
    of structure: inout Structure
  ) throws(OtherForm) {
    guard take("{") else { throw OtherForm() }
    isFirst = true
    try structure.visitMembers(&self)
    guard take("}") else { throw OtherForm() }
    isFirst = false
  }

  /// Takes a comma, unless the member is the first one, the name and the colon.
  private mutating func takeName(_ name: StaticString) -> Bool {
    let start = isFirst ? position : position &+ 1
    let count = name.utf8CodeUnitCount
    guard start &+ count &+ 3 <= end, isFirst || next == UInt8(ascii: ","),
      unsafe text[start] == UInt8(ascii: "\""),
      unsafe text[start &+ count &+ 1] == UInt8(ascii: "\""),
      unsafe text[start &+ count &+ 2] == UInt8(ascii: ":"), has(name, at: start &+ 1)
    else { return false }
    position = start &+ count &+ 3
    isFirst = false
    return true
  }

  // MARK: - Values

  /// The byte at the position; 0 at the end.
  private var next: UInt8 { position < end ? unsafe text[position] : 0 }

  /// Takes these bytes, if they are next.
  @inline(__always)
  mutating func take(_ expected: StaticString) -> Bool {
    let count = expected.utf8CodeUnitCount
    guard count <= end - position, has(expected, at: position) else { return false }
    position += count
    return true
  }

  /// Whether the text has these bytes at `place`, if it has as many bytes.
  @inline(__always)
  private func has(_ expected: StaticString, at place: Int) -> Bool {
    let count = expected.utf8CodeUnitCount
    let other = unsafe UnsafeRawBufferPointer(start: expected.utf8Start, count: count)
    // Words, of which the last two can overlap.
    if count >= 8 {
      var index = 0
      while index < count &- 8 {
        guard unsafe areEqual(place, other, index, as: UInt64.self) else { return false }
        index &+= 8
      }
      return unsafe areEqual(place, other, count &- 8, as: UInt64.self)
    }
    if count >= 4 {
      return unsafe areEqual(place, other, 0, as: UInt32.self)
        && areEqual(place, other, count &- 4, as: UInt32.self)
    }
    for index in 0..<count where unsafe text[place &+ index] != other[index] { return false }
    return true
  }

  /// Whether the words at `offset` of both texts are equal.
  @inline(__always)
  @unsafe
  private func areEqual<Word: FixedWidthInteger & BitwiseCopyable>(
    _ place: Int, _ other: UnsafeRawBufferPointer, _ offset: Int, as type: Word.Type
  ) -> Bool {
    unsafe text.loadUnaligned(fromByteOffset: place &+ offset, as: type)
      == other.loadUnaligned(fromByteOffset: offset, as: type)
  }

  /// Takes an integer of at most 18 digits.
  mutating func takeInteger() throws(OtherForm) -> Int64 {
    let isNegative = take("-")
    // Local variables stay in registers.
    var place = position
    var number: Int64 = 0
    while place < end, case let digit = unsafe text[place] &- UInt8(ascii: "0"), digit < 10 {
      number = number &* 10 &+ Int64(digit)
      place &+= 1
    }
    let count = place - position
    let hasLeadingZero = count > 1 && next == UInt8(ascii: "0")
    position = place
    guard count >= 1, count <= 18, !hasLeadingZero, next != UInt8(ascii: "."),
      next | 0x20 != UInt8(ascii: "e")
    else { throw OtherForm() }
    return isNegative ? -number : number
  }

  /// Takes a string of this length without escapes, and passes its text to `body`.
  mutating func takeString<Value>(
    byteCount: Int, _ body: (Span<UInt8>) -> Value?
  ) throws(OtherForm) -> Value {
    let start = position + 1
    guard start + byteCount < end, next == UInt8(ascii: "\""),
      unsafe text[start + byteCount] == UInt8(ascii: "\""),
      let value = unsafe body(
        Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: text[start..<start + byteCount])))
    else { throw OtherForm() }
    position = start + byteCount + 1
    return value
  }

  /// Takes a string without escapes, and passes its text to `body`.
  mutating func takeString<Value>(
    _ body: (Span<UInt8>) -> Value?
  ) throws(OtherForm) -> Value {
    let start = position + 1
    let hasEscapes = try skipString()
    let content = unsafe UnsafeRawBufferPointer(rebasing: text[start..<position - 1])
    guard !hasEscapes, let value = unsafe body(Span(_unsafeBytes: content)) else {
      throw OtherForm()
    }
    return value
  }

  /// Takes an object that the broker stores unread.
  mutating func takeObject() throws(OtherForm) -> RawJSON {
    guard next == UInt8(ascii: "{") else { throw OtherForm() }
    let start = position
    try skipValue()
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: text[start..<position])
    return unsafe RawJSON(unchecked: ContiguousArray(bytes))
  }

  /// Parses a value that has no form of its own.
  mutating func parse<Value: JSONCodable>() throws(OtherForm) -> Value {
    let start = position
    try skipValue()
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: text[start..<position])
    guard (try? document.read(unsafe Span(_unsafeBytes: bytes))) != nil,
      let value = try? Value(reading: document.root)
    else { throw OtherForm() }
    return value
  }

  private mutating func skipValue() throws(OtherForm) {
    var brackets = OpenBrackets()
    while true {
      let byte = next
      switch byte {
      case UInt8(ascii: "\""):
        _ = try skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard brackets.open(byte) else { throw OtherForm() }
        position += 1
        continue
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if brackets.isEmpty { return }
        guard brackets.close(byte) else { throw OtherForm() }
        position += 1
      case UInt8(ascii: ","):
        if brackets.isEmpty { return }
        position += 1
        continue
      case 0..<0x20: throw OtherForm()
      default:
        position += 1
        continue
      }
      if brackets.isEmpty { return }
    }
  }

  /// Skips a string, from quote to quote. Returns whether it has escapes.
  private mutating func skipString() throws(OtherForm) -> Bool {
    guard next == UInt8(ascii: "\"") else { throw OtherForm() }
    var hasEscapes = false
    var place = position + 1
    while place < end {
      while place &+ 32 <= end {
        let words = unsafe text.loadUnaligned(fromByteOffset: place, as: SIMD4<UInt64>.self)
        if hasStop(in: words) { break }
        place &+= 32
      }
      while place &+ 8 <= end {
        let word = unsafe text.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        let stops = stops(in: UInt64(littleEndian: word))
        if stops != 0 {
          place &+= stops.trailingZeroBitCount / 8
          break
        }
        place &+= 8
      }
      guard place < end else { break }
      let byte = unsafe text[place]
      guard byte >= 0x20 else { break }
      place &+= 1
      if byte == UInt8(ascii: "\"") {
        position = place
        return hasEscapes
      }
      if byte == UInt8(ascii: "\\") {
        // The next byte does not end the string.
        place &+= 1
        hasEscapes = true
      }
    }
    throw OtherForm()
  }

  /// The lowest set bit is in the first byte that is a quotation mark, a backslash or a control
  /// character.
  @inline(__always)
  private func stops(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ ones &* UInt64(UInt8(ascii: "\""))
    let backslashes = word ^ ones &* UInt64(UInt8(ascii: "\\"))
    let controls = word &- ones &* 0x20
    return ((quotes &- ones) | (backslashes &- ones) | controls) & ~word & (ones &* 0x80)
  }
}

/// Whether a byte is a quotation mark, a backslash or a control character. Bytes above such a byte
/// do not matter.
@inline(__always)
private func hasStop(in words: SIMD4<UInt64>) -> Bool {
  let one: UInt64 = 0x0101_0101_0101_0101
  let ones = SIMD4(repeating: one)
  let quotes = words ^ SIMD4(repeating: one &* UInt64(UInt8(ascii: "\"")))
  let backslashes = words ^ SIMD4(repeating: one &* UInt64(UInt8(ascii: "\\")))
  let controls = words &- SIMD4(repeating: one &* 0x20)
  let stops = ((quotes &- ones) | (backslashes &- ones) | controls) & ~words
  let halves = stops.lowHalf | stops.highHalf
  return (halves[0] | halves[1]) & (one &* 0x80) != 0
}

/// The open brackets of a JSON text, at most 64.
private struct OpenBrackets {
  /// A bit for each open bracket, the innermost one lowest: 1 for an object.
  private var kinds: UInt64 = 0
  private var count = 0

  var isEmpty: Bool { count == 0 }

  /// Returns false at more than 64 brackets.
  mutating func open(_ bracket: UInt8) -> Bool {
    kinds = kinds << 1 | (bracket == UInt8(ascii: "{") ? 1 : 0)
    count += 1
    return count <= 64
  }

  /// Returns false for a bracket that does not match the innermost open one.
  mutating func close(_ bracket: UInt8) -> Bool {
    defer {
      kinds >>= 1
      count -= 1
    }
    return kinds & 1 == (bracket == UInt8(ascii: "}") ? 1 : 0)
  }
}
