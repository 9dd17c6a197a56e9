/// The checked text of one JSON value, passed on byte for byte.
///
/// Values are equal if their bytes are equal: `1` ≠ `1.0`.
package struct RawJSON: Hashable, Sendable {
  /// The text, without whitespace around it.
  package private(set) var bytes: ContiguousArray<UInt8>

  /// Checks that `bytes` are one JSON text, and removes the whitespace around it.
  package init(
    validating bytes: some Collection<UInt8>, maximumDepth: Int = 64
  ) throws(JSONError) {
    let document = JSONDocument()
    try document.read(bytes, maximumDepth: maximumDepth)
    self = document.root.raw
  }

  /// Requires bytes that are one JSON text, such as the output of a writer.
  package init(unchecked bytes: ContiguousArray<UInt8>) {
    self.bytes = bytes
  }

  /// `null`.
  package static let null = RawJSON(unchecked: ContiguousArray("null".utf8))
  /// `{}`.
  package static let emptyObject = RawJSON(unchecked: ContiguousArray("{}".utf8))
}

extension RawJSON: Equatable {
  // Compares words: the array compares elements, and each save compares an activity.
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
