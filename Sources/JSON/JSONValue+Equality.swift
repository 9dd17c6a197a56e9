extension JSONValue {
  /// Whether both are the same JSON value: strings by their text, numbers by how they are written
  /// or by what they are, objects without regard to the order of their members. Values are nested
  /// no deeper than a document may be, so this may call itself.
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
