/// A parsed JSON text: its bytes, and a flat tape with the range of each value.
///
/// Reuse one document for many messages: after its buffers have grown, a read allocates nothing. A
/// read invalidates all values of the previous text. An invalid value then shows the new text, or
/// traps.
@usableFromInline
package final class JSONDocument {
  // No code that runs during a change calls back into this object.
  @safe @exclusivity(unchecked)
  @usableFromInline package private(set) var text: TextBuffer
  @safe @exclusivity(unchecked)
  @usableFromInline package private(set) var tape: Tape

  /// Whether no object of the texts repeats a name, as in the output of the broker's own writer.
  let hasUniqueNames: Bool

  /// The number of running closures that access the text.
  private var accessCount = 0

  #if DEBUG
    /// The number of loop iterations and name comparisons since the last read began.
    var steps = 0
  #endif

  private static let smallestText = 1024
  private static let smallestTape = 64

  /// The maximum length of a text in bytes.
  package static let maximumLength = Int(Int32.max)

  /// A document that contains `null`. With `hasUniqueNames`, no object is searched for a repeated
  /// name.
  package init(hasUniqueNames: Bool = false) {
    self.hasUniqueNames = hasUniqueNames
    text = TextBuffer(capacity: Self.smallestText)
    tape = Tape(capacity: Self.smallestTape)
    clear()
  }

  /// The outermost value of the text; `null` before the first read and after a failed read.
  @inlinable
  package var root: JSONValue { JSONValue(self, at: 0) }

  /// Copies the bytes and parses exactly one JSON text by RFC 8259: UTF-8 without a byte order
  /// mark, optionally with whitespace around it.
  ///
  /// An object may repeat a name. A number may have any size and precision. The nesting depth is ≤
  /// `maximumDepth` and ≤ 65,535.
  package func read(_ bytes: Span<UInt8>, maximumDepth: Int = 64) throws(JSONError) {
    guard bytes.count <= Self.maximumLength else {
      clear()
      throw JSONError(.tooLong, at: Self.maximumLength)
    }
    precondition(accessCount == 0, "the text is borrowed")
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

  /// The capacity of the buffers in bytes.
  package var capacity: Int {
    text.capacity + tape.capacity * MemoryLayout<TapeEntry>.stride
  }

  /// Frees the buffers if their capacity exceeds `bytes`, for example after a long text. The
  /// document then contains `null`.
  package func trim(above bytes: Int) {
    guard capacity > bytes else { return }
    precondition(accessCount == 0, "the text is borrowed")
    text = TextBuffer(capacity: Self.smallestText)
    tape = Tape(capacity: Self.smallestTape)
    clear()
  }

  /// Pins the text: until the matching ``endAccess()``, the document must not change.
  func beginAccess() { accessCount += 1 }
  func endAccess() { accessCount -= 1 }

  /// Sets the document to `null`.
  private func clear() {
    text.assignNull()
    tape.removeAll()
    tape.append(TapeEntry(.null, start: 0, end: 4, next: 1))
  }
}
