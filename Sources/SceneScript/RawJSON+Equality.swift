import JSON

extension RawJSON {
  /// Whether both are the same JSON value, however they are written.
  func isSameValue(as other: RawJSON) -> Bool {
    let (mine, theirs) = (JSONDocument(), JSONDocument())
    guard (try? mine.read(bytes.span)) != nil, (try? theirs.read(other.bytes.span)) != nil else {
      return self == other
    }
    return mine.root.isSameValue(as: theirs.root)
  }
}
