/// Appends JSON to a byte buffer, without whitespace. Commas are the writer's business.
///
/// Texts may follow each other, with any bytes between them: a comma is only written between the
/// values of one array or object. That names and values take turns is the caller's business.
package struct JSONWriter {
  /// What has been written. It may be read, taken, appended to and patched; `truncate(to:)` is for
  /// giving up a text that is unfinished.
  package var bytes: ContiguousArray<UInt8>

  private var depth = 0
  private var needsComma = false

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
    separate()
    bytes.append(bracket)
    depth += 1
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    precondition(depth > 0, "nothing is open")
    bytes.append(bracket)
    depth -= 1
    needsComma = depth > 0
  }

  // MARK: - Names

  /// Writes a member's name and the colon.
  package mutating func name(_ name: StaticString) {
    string(name)
    bytes.append(Byte.colon)
    needsComma = false
  }

  /// Writes a member's name and the colon.
  package mutating func name(_ name: String) {
    string(name)
    bytes.append(Byte.colon)
    needsComma = false
  }

  // MARK: - Values

  /// Writes `null`.
  package mutating func null() { literal("null") }

  /// Writes `true` or `false`.
  package mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

  /// Writes a number.
  package mutating func integer(_ value: Int64) {
    beginValue()
    if value < 0 { bytes.append(Byte.minus) }
    appendDigits(of: value.magnitude)
  }

  /// Writes a number.
  package mutating func integer(_ value: UInt64) {
    beginValue()
    appendDigits(of: value)
  }

  /// Writes a number.
  @inlinable
  package mutating func integer(_ value: some BinaryInteger) {
    if let signed = Int64(exactly: value) {
      integer(signed)
    } else if let unsigned = UInt64(exactly: value) {
      integer(unsigned)
    } else {
      raw(RawJSON(unchecked: ContiguousArray(String(value).utf8)))
    }
  }

  /// Writes the shortest number that reads as the same; it must be finite.
  package mutating func double(_ value: Double) {
    precondition(value.isFinite, "JSON has no infinities and no NaN")
    beginValue()
    bytes.append(contentsOf: value.description.utf8)
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

  private mutating func literal(_ text: StaticString) {
    beginValue()
    text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }

  private mutating func separate() {
    if needsComma { bytes.append(Byte.comma) }
  }

  /// Writes the comma before a value or a name, if there has to be one.
  @usableFromInline
  mutating func beginValue() {
    separate()
    needsComma = depth > 0
  }

  private mutating func appendDigits(of value: UInt64) {
    // The greatest has 20 digits.
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { room in
      var rest = value
      var start = room.count
      repeat {
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        start -= 1
        unsafe room.initializeElement(at: start, to: Byte.zero + UInt8(truncatingIfNeeded: digit))
        rest = quotient
      } while rest != 0
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: room[start...]))
    }
  }
}
