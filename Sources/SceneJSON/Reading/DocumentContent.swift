/// The text and the tape of a document.
@usableFromInline
package struct DocumentContent: ~Copyable {
  @usableFromInline package private(set) var text: TextBuffer
  @usableFromInline package private(set) var tape: Tape

  /// The number of running closures that access the text.
  @usableFromInline var accessCount = 0

  #if DEBUG
    /// The number of loop iterations and name comparisons since the last read began.
    var steps = 0
  #endif

  init(text: consuming TextBuffer, tape: consuming Tape) {
    self.text = text
    self.tape = tape
  }

  mutating func read(_ bytes: Span<UInt8>, maximumDepth: Int) throws(JSONError) {
    guard bytes.count <= JSONDocument.maximumLength else {
      clear()
      throw JSONError(.tooLong, at: JSONDocument.maximumLength)
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

  var capacity: Int { text.capacity + tape.capacity * MemoryLayout<TapeEntry>.stride }

  mutating func replaceBuffers(_ text: consuming TextBuffer, _ tape: consuming Tape) {
    precondition(accessCount == 0, "the text is borrowed")
    self.text = text
    self.tape = tape
    clear()
  }

  /// Pins the text: until the matching ``endAccess()``, the document must not change.
  @inlinable
  mutating func beginAccess() { accessCount += 1 }
  @inlinable
  mutating func endAccess() { accessCount -= 1 }

  /// Sets the document to `null`.
  mutating func clear() {
    text.assignNull()
    tape.removeAll()
    tape.append(TapeEntry(.null, start: 0, end: 4, next: 1))
  }
}
