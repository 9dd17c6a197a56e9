import SceneJSON

extension RawJSON {
  /// Whether both are the same JSON value, regardless of spacing and the order of members.
  func isSameValue(as other: RawJSON) -> Bool {
    guard let mine = JSONDocument(reading: bytes), let theirs = JSONDocument(reading: other.bytes)
    else { return self == other }
    return mine.root.isSameValue(as: theirs.root)
  }
}
