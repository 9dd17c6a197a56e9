/// Which of the six kinds of JSON values one is.
@usableFromInline
package enum JSONKind: Sendable {
  case null, bool, number, string, array, object
}

/// A view of one value in a document.
@usableFromInline
package struct JSONValue {
  @usableFromInline let document: JSONDocument
  @usableFromInline let index: Int

  @inlinable @inline(__always)
  init(_ document: JSONDocument, at index: Int) {
    self.document = document
    self.index = index
  }

  @inlinable
  var entry: TapeEntry {
    @inline(__always) get { document.tape[index] }
  }

  /// Its place in the document, which is above zero for all but the root.
  ///
  /// Where several values are looked for, their places are quicker to keep than they themselves.
  @inlinable
  package var place: Int { index }

  /// The value at a place of the same document.
  @inlinable
  package func value(at place: Int) -> JSONValue { JSONValue(document, at: place) }

  /// Which kind it is.
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

  /// Whether it is `null`.
  @inlinable
  package var isNull: Bool { entry.tag == .null }

  /// The value of `true` or `false`, or nil if it is of another kind.
  @inlinable
  package var bool: Bool? {
    switch entry.tag {
    case .true: true
    case .false: false
    case .null, .number, .string, .array, .object: nil
    }
  }

  /// How deep arrays and objects are nested in it: 0 for a scalar, 1 for a container of scalars or
  /// of nothing.
  ///
  /// A text can be read if the depth of its root is not above the maximum given.
  @inlinable
  package var depth: Int { Int(entry.depth) }

  /// Where its bytes are in the document's text.
  @inlinable
  package var rawRange: Range<Int> {
    let entry = entry
    return Int(entry.start)..<Int(entry.end)
  }

  /// A copy of exactly its bytes.
  package var raw: RawJSON {
    withRawBytes { bytes in
      RawJSON(unchecked: unsafe bytes.withUnsafeBufferPointer { unsafe ContiguousArray($0) })
    }
  }

  /// Hands its bytes, as they stand in the text, to `body`.
  package func withRawBytes<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let range = rawRange
    // In bounds: the tape only holds ranges within the text.
    let bytes = unsafe UnsafeBufferPointer(
      start: document.text.base + range.lowerBound, count: range.count)
    document.lend()
    defer { document.takeBack() }
    return try body(unsafe bytes.span)
  }
}
