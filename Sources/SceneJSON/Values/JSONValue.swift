/// The six kinds of JSON values.
@usableFromInline
package enum JSONKind: Sendable {
  case null, bool, number, string, array, object
}

/// A view of one value in a document. The document must outlive the view, which does not retain it.
@usableFromInline
package struct JSONValue {
  @usableFromInline let document: DocumentReference
  @usableFromInline let index: Int

  @inlinable
  init(_ document: DocumentReference, at index: Int) {
    self.document = document
    self.index = index
  }

  @inlinable
  var entry: TapeEntry { document[index] }

  /// The place in the document; 0 for the root only.
  ///
  /// A place is cheaper to store than a value.
  @inlinable
  package var place: Int { index }

  /// The value at a place of the same document.
  @inlinable
  package func value(at place: Int) -> JSONValue { JSONValue(document, at: place) }

  @inlinable
  package var kind: JSONKind {
    switch entry.tag {
    case .null: .null
    case .false, .true: .bool
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// Whether the value is `null`.
  @inlinable
  package var isNull: Bool { entry.tag == .null }

  /// The value of `true` or `false`; nil for another kind.
  @inlinable
  package var bool: Bool? {
    switch entry.tag {
    case .true: true
    case .false: false
    case .null, .number, .string, .array, .object: nil
    }
  }

  /// The nesting depth: 0 for a scalar, 1 for an empty container or one of scalars.
  ///
  /// A document can read a text if the depth of its root ≤ `maximumDepth`.
  @inlinable
  package var depth: Int { Int(entry.depth) }

  /// The range of the value in the document's text.
  @inlinable
  package var rawRange: Range<Int> {
    let entry = entry
    return Int(entry.start)..<Int(entry.end)
  }

  /// A copy of the bytes of the value.
  package var raw: RawJSON {
    withRawBytes { bytes in
      RawJSON(unchecked: unsafe bytes.withUnsafeBufferPointer { unsafe ContiguousArray($0) })
    }
  }

  /// Passes the bytes of the value to `body`.
  package func withRawBytes<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let range = rawRange
    // In bounds: all ranges on the tape are within the text.
    let bytes = unsafe UnsafeBufferPointer(
      start: document.text + range.lowerBound, count: range.count)
    document.beginAccess()
    defer { document.endAccess() }
    return try body(unsafe bytes.span)
  }
}

#if !DEBUG
  // A copy of a value counts no reference.
  extension JSONValue: BitwiseCopyable {}
#endif
