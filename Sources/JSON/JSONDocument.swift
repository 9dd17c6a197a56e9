/// A JSON text that has been read: its bytes, and a flat tape of where each value is.
///
/// One document is used for message after message; once its buffers have grown, a read allocates
/// nothing. With the next read the values of the earlier text become meaningless: what they say
/// then is of the new text, and it is a fault to ask one that has no counterpart there.
@usableFromInline
package final class JSONDocument {
  // Nothing that runs while these are changed can come back to this object.
  @safe @exclusivity(unchecked)
  @usableFromInline package private(set) var text: TextBuffer
  @safe @exclusivity(unchecked)
  @usableFromInline package private(set) var tape: Tape

  /// How many closures are being run that look into the text.
  @safe @exclusivity(unchecked)
  private var lendings = 0

  #if DEBUG
    /// How often any loop has gone round since the last read began, and names have been compared.
    @safe @exclusivity(unchecked)
    var steps = 0
  #endif

  private static let smallestText = 1024
  private static let smallestTape = 64

  /// The greatest length of a text in bytes.
  package static let maximumLength = Int(Int32.max)

  /// A document that says `null`.
  package init() {
    text = TextBuffer(capacity: Self.smallestText)
    tape = Tape(capacity: Self.smallestTape)
    clear()
  }

  /// The value that is the text. It is null before the first read and after one that failed.
  @inlinable
  package var root: JSONValue { JSONValue(self, at: 0) }

  /// Copies the bytes and reads exactly one JSON text, by RFC 8259: UTF-8 without a byte order
  /// mark, with whitespace around it or not.
  ///
  /// Names may stand twice in an object. Numbers may be of any size and precision. Arrays and
  /// objects may be nested `maximumDepth` deep, but never deeper than 65,535.
  package func read(_ bytes: Span<UInt8>, maximumDepth: Int = 64) throws(JSONError) {
    guard bytes.count <= Self.maximumLength else {
      clear()
      throw JSONError(.tooLong, at: Self.maximumLength)
    }
    precondition(lendings == 0, "the text is being looked at")
    text.assign(bytes)
    tape.removeAll()
    var scanner = TextScanner(text, maximumDepth: maximumDepth)
    do {
      #if DEBUG
        defer { steps = scanner.steps }
      #endif
      try scanner.scan(onto: &tape)
    } catch {
      clear()
      throw error
    }
  }

  /// The same for bytes in any collection.
  package func read(
    _ bytes: some Collection<UInt8>, maximumDepth: Int = 64
  ) throws(JSONError) {
    try read(ContiguousArray(bytes).span, maximumDepth: maximumDepth)
  }

  /// The memory that the buffers take, in bytes.
  package var capacity: Int {
    text.capacity + tape.capacity * MemoryLayout<TapeEntry>.stride
  }

  /// Gives the buffers back if they take more than `bytes`, for example after an uncommonly long
  /// text. The document then says `null`.
  package func trim(above bytes: Int) {
    guard capacity > bytes else { return }
    precondition(lendings == 0, "the text is being looked at")
    text = TextBuffer(capacity: Self.smallestText)
    tape = Tape(capacity: Self.smallestTape)
    clear()
  }

  /// From here on the text must stay what and where it is, until it is taken back.
  func lend() { lendings += 1 }
  func takeBack() { lendings -= 1 }

  /// Says `null`.
  private func clear() {
    text.assignNull()
    tape.removeAll()
    tape.append(TapeEntry(.null, start: 0, end: 4, next: 1))
  }
}
