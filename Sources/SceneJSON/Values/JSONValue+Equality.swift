extension JSONValue {
  /// Whether both are the same JSON value. Strings compare by text. Numbers compare by spelling or
  /// value. Objects ignore the order of members. The recursion is bounded by the depth of a
  /// document.
  package func isSameValue(as other: JSONValue) -> Bool {
    guard kind == other.kind else { return false }
    switch kind {
    case .null: return true
    case .bool: return bool == other.bool
    case .string: return string?.utf8.elementsEqual(other.string?.utf8 ?? "".utf8) ?? false
    case .number:
      if let integer, let theirs = other.integer { return integer == theirs }
      return raw == other.raw || (double != nil && double == other.double)
    case .array:
      return count == other.count
        && zip(elements, other.elements).allSatisfy { $0.isSameValue(as: $1) }
    case .object:
      return count == other.count
        && members.allSatisfy { name, value in
          other.member(named: name.string ?? "")?.isSameValue(as: value) ?? false
        }
    }
  }
}
