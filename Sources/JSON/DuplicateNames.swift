extension JSONValue {
  /// The first name in an object that stands there for the second time, escaped or not; nil if
  /// there is none, or it is of another kind. Members of members are not looked at.
  package var firstDuplicateName: String? {
    document.placeOfDuplicateName(in: index).flatMap { JSONValue(document, at: $0).string }
  }
}

extension JSONDocument {
  /// The place of the first name that is there for the second time.
  fileprivate func placeOfDuplicateName(in object: Int) -> Int? {
    let entry = tape[object]
    guard entry.tag == .object else { return nil }
    let end = Int(entry.next)
    var seen: UInt64 = 0
    var earlier = 0
    var place = object + 1
    while place < end {
      // Most objects have few members, most names differ in what the mark is made of, and then
      // nothing is compared at all.
      let mark = mark(ofNameAt: place)
      if seen & mark != 0, isName(at: place, amongFirstIn: object) { return place }
      seen |= mark
      earlier += 1
      if earlier > 16 { return placeOfDuplicateName(from: object + 1, to: end) }
      place = Int(tape[place + 1].next)
    }
    return nil
  }

  /// A bit that is the same for equal names.
  @inline(__always)
  private func mark(ofNameAt place: Int) -> UInt64 {
    let entry = tape[place]
    // Names with escapes are not undone for this: each of them may equal any other.
    guard !entry.isComplex else { return .max }
    let content = unsafe content(of: entry)
    // An empty name is followed by its quote, the others begin and end within.
    let first = unsafe UInt64(text.base[Int(entry.start) + 1])
    let last = unsafe UInt64(text.base[Int(entry.end) - 2])
    let length = UInt64(content.count)
    return 1 << ((first &* 5 &+ last &* 3 &+ length &* 11) & 63)
  }

  private func isName(at place: Int, amongFirstIn object: Int) -> Bool {
    var other = object + 1
    while other < place {
      if strings(at: place, and: other) { return true }
      other = Int(tape[other + 1].next)
    }
    return false
  }

  /// The same by hashing: comparing each of many names with all would take quadratic time.
  private func placeOfDuplicateName(from start: Int, to end: Int) -> Int? {
    var names = Set<HashedName>()
    var place = start
    while place < end {
      guard names.insert(HashedName(document: self, place: place)).inserted else { return place }
      place = Int(tape[place + 1].next)
    }
    return nil
  }
}

/// A name in a set. The hash is seeded anew in each process, so nobody can choose names for it.
private struct HashedName: Hashable {
  let document: JSONDocument
  let place: Int

  static func == (left: Self, right: Self) -> Bool {
    left.document.strings(at: left.place, and: right.place)
  }

  func hash(into hasher: inout Hasher) {
    JSONValue(document, at: place).withUTF8 { text in
      unsafe text.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
  }
}
