/// A parsed JSON text: its bytes, and a flat tape with the range of each value.
///
/// Reuse one document for many messages: after its buffers have grown, a read allocates nothing. A
/// read invalidates all values of the previous text. An invalid value then shows the new text, or
/// traps.
///
/// The document must outlive its values, which do not retain it: bind it to a constant whose scope
/// contains all uses of the values.
@safe
@usableFromInline
package final class JSONDocument {
  /// The content has a fixed address, to which the values refer.
  @usableFromInline let content: UnsafeMutablePointer<DocumentContent>

  #if DEBUG
    /// The number of loop iterations and name comparisons since the last read began.
    var steps: Int { unsafe content.pointee.steps }
  #endif

  private static let smallestText = 1024
  private static let smallestTape = 64

  /// The maximum length of a text in bytes.
  package static let maximumLength = Int(Int32.max)

  /// A document that contains `null`.
  package init() {
    unsafe content = .allocate(capacity: 1)
    unsafe content.initialize(
      to: DocumentContent(
        text: TextBuffer(capacity: Self.smallestText), tape: Tape(capacity: Self.smallestTape)))
    unsafe content.pointee.clear()
  }

  /// A document with this text; nil if the text is not JSON.
  package convenience init?(reading bytes: some Collection<UInt8>) {
    self.init()
    guard (try? read(bytes)) != nil else { return nil }
  }

  deinit {
    precondition(unsafe content.pointee.accessCount == 0, "a value of the document is in use")
    unsafe content.deinitialize(count: 1)
    unsafe content.deallocate()
  }

  /// The outermost value of the text; `null` before the first read and after a failed read.
  @inlinable
  package var root: JSONValue { JSONValue(DocumentReference(self), at: 0) }

  /// Copies the bytes and parses exactly one JSON text by RFC 8259: UTF-8 without a byte order
  /// mark, optionally with whitespace around it.
  ///
  /// An object may repeat a name. A number may have any size and precision. The nesting depth is ≤
  /// `maximumDepth` and ≤ 65,535.
  package func read(_ bytes: Span<UInt8>, maximumDepth: Int = 64) throws(JSONError) {
    try unsafe content.pointee.read(bytes, maximumDepth: maximumDepth)
  }

  /// The same for bytes in any collection.
  package func read(
    _ bytes: some Collection<UInt8>, maximumDepth: Int = 64
  ) throws(JSONError) {
    try read(ContiguousArray(bytes).span, maximumDepth: maximumDepth)
  }

  /// The capacity of the buffers in bytes.
  package var capacity: Int { unsafe content.pointee.capacity }

  /// Frees the buffers if their capacity exceeds `bytes`, for example after a long text. The
  /// document then contains `null`.
  package func trim(above bytes: Int) {
    guard capacity > bytes else { return }
    unsafe content.pointee.replaceBuffers(
      TextBuffer(capacity: Self.smallestText), Tape(capacity: Self.smallestTape))
  }
}
