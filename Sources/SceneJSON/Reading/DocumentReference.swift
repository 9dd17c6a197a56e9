/// A reference of a value to its document. The reference does not keep the document alive, so that
/// values cost no reference counting.
///
/// The document must outlive the reference. In a debug build, a use after the document's end traps.
/// In a release build, the reference is safe only by this rule, which a structure test checks.
@safe @usableFromInline
package struct DocumentReference {
  #if DEBUG
    @usableFromInline unowned let document: JSONDocument

    @usableFromInline
    init(_ document: JSONDocument) { self.document = document }

    @unsafe @usableFromInline
    var content: UnsafeMutablePointer<DocumentContent> { unsafe document.content }
  #else
    @usableFromInline let content: UnsafeMutablePointer<DocumentContent>

    @inlinable
    init(_ document: JSONDocument) { unsafe content = document.content }
  #endif

  /// The entry of the tape at a place.
  @inlinable
  subscript(place: Int) -> TapeEntry { unsafe content.pointee.tape[place] }

  /// The first byte of the text.
  @unsafe @inlinable
  var text: UnsafeMutablePointer<UInt8> { unsafe content.pointee.text.base }

  /// Pins the text: until the matching ``endAccess()``, the document must not change.
  @inlinable
  func beginAccess() { unsafe content.pointee.beginAccess() }
  @inlinable
  func endAccess() { unsafe content.pointee.endAccess() }

  #if DEBUG
    func countStep() { unsafe content.pointee.steps += 1 }
  #endif
}

#if !DEBUG
  extension DocumentReference: BitwiseCopyable {}
#endif
