import SceneJSON

extension RawJSON {
  /// Whether both are the same JSON value, regardless of spacing and the order of members.
  func isSameValue(as other: RawJSON) -> Bool {
    let (mine, childEnds) = (JSONDocument(), JSONDocument())
    guard (try? mine.read(bytes.span)) != nil, (try? childEnds.read(other.bytes.span)) != nil else {
      return self == other
    }
    return mine.root.isSameValue(as: childEnds.root)
  }
}
