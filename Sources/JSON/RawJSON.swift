/// The text of one JSON value, checked once and then only carried, byte for byte.
///
/// Two are equal if their bytes are: `1` and `1.0` are not.
package struct RawJSON: Hashable, Sendable {
  /// The text, without whitespace around it.
  package private(set) var bytes: ContiguousArray<UInt8>

  /// Checks that `bytes` are one JSON text and keeps it, without the whitespace around it.
  package init(
    validating bytes: some Collection<UInt8>, maximumDepth: Int = 64
  ) throws(JSONError) {
    let document = JSONDocument()
    try document.read(bytes, maximumDepth: maximumDepth)
    self = document.root.raw
  }

  /// Takes bytes that are known to be one JSON text: what a writer or a document gave.
  package init(unchecked bytes: ContiguousArray<UInt8>) {
    self.bytes = bytes
  }

  /// `null`.
  package static let null = RawJSON(unchecked: ContiguousArray("null".utf8))
  /// `{}`.
  package static let emptyObject = RawJSON(unchecked: ContiguousArray("{}".utf8))
}

extension RawJSON: Equatable {
  // By words: for an array it would be element by element, and what is saved is compared each time.
  package static func == (one: RawJSON, other: RawJSON) -> Bool {
    unsafe one.bytes.withUnsafeBufferPointer { one in
      unsafe other.bytes.withUnsafeBufferPointer { other in unsafe areEqual(one, other) }
    }
  }
}

extension RawJSON: CustomStringConvertible {
  /// The text.
  package var description: String { String(decoding: bytes, as: UTF8.self) }
}
