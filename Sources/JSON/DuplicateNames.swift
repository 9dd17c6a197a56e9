extension JSONValue {
  /// The first name in an object that stands there for the second time, escaped or not; nil if
  /// there is none, or it is of another kind. Members of members are not looked at.
  package var firstDuplicateName: String? {
    // Most objects have few members, and then comparing costs less than hashing.
    let few = 16
    var earlier = 0
    for member in members {
      if earlier == few { return firstDuplicateNameOfMany }
      for other in members.prefix(earlier) where member.name.hasSameText(as: other.name) {
        return member.name.string
      }
      earlier += 1
    }
    return nil
  }

  /// The same, by hashing: with many names comparing all of them would take quadratic time.
  private var firstDuplicateNameOfMany: String? {
    var names = Set<HashedName>()
    for member in members where !names.insert(HashedName(name: member.name)).inserted {
      return member.name.string
    }
    return nil
  }
}

/// A name in a set. The hash is seeded anew in each process, so nobody can choose names for it.
private struct HashedName: Hashable {
  let name: JSONValue

  static func == (left: Self, right: Self) -> Bool { left.name.hasSameText(as: right.name) }

  func hash(into hasher: inout Hasher) {
    name.withUTF8 { text in
      unsafe text.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
  }
}
