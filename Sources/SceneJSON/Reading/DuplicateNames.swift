extension JSONValue {
  /// The first repeated member name of an object, escaped or not; nil if there is none, or if the
  /// value is no object. Does not check nested objects.
  package var firstDuplicateName: String? {
    document.placeOfDuplicateName(in: index).flatMap { JSONValue(document, at: $0).string }
  }
}

extension DocumentReference {
  /// The place of the first repeated name.
  fileprivate func placeOfDuplicateName(in object: Int) -> Int? {
    let entry = self[object]
    guard entry.tag == .object else { return nil }
    let end = Int(entry.next)
    var seen: UInt64 = 0
    var earlier = 0
    var place = object + 1
    while place < end {
      // Most objects have few members with different marks, so the code compares no names.
      let mark = mark(ofNameAt: place)
      if seen & mark != 0, isName(at: place, amongFirstIn: object) { return place }
      seen |= mark
      earlier += 1
      if earlier > 16 { return placeOfDuplicateNameByHashing(in: object) }
      place = Int(self[place + 1].next)
    }
    return nil
  }

  /// A bit that equal names share.
  private func mark(ofNameAt place: Int) -> UInt64 {
    let entry = self[place]
    // A name with escapes may equal any other name, so it has all bits.
    guard !entry.isComplex else { return .max }
    let content = unsafe content(of: entry)
    // For an empty name, this byte is its closing quote.
    let first = unsafe UInt64(text[Int(entry.start) + 1])
    let last = unsafe UInt64(text[Int(entry.end) - 2])
    let length = UInt64(content.count)
    return 1 << ((first &* 5 &+ last &* 3 &+ length &* 11) & 63)
  }

  private func isName(at place: Int, amongFirstIn object: Int) -> Bool {
    var other = object + 1
    while other < place {
      if strings(at: place, and: other) { return true }
      other = Int(self[other + 1].next)
    }
    return false
  }

  /// Finds the repeated name by hashing, because comparing all pairs would take quadratic time.
  private func placeOfDuplicateNameByHashing(in object: Int) -> Int? {
    let count = JSONValue(self, at: object).count
    // A slot contains the upper half of a hash and a place ≠ 0. At least half of the slots are
    // empty.
    let mask = (1 << (Int.bitWidth - (2 * count).leadingZeroBitCount)) - 1
    var slots = ContiguousArray<UInt64>(repeating: 0, count: mask + 1)
    var place = object + 1
    for _ in 0..<count {
      let hash = hash(ofNameAt: place)
      let upperHalf = UInt64(UInt32(truncatingIfNeeded: hash >> 32)) << 32
      var index = hash & mask
      while slots[index] != 0 {
        let other = Int(UInt32(truncatingIfNeeded: slots[index]))
        if slots[index] ^ upperHalf < 1 << 32, strings(at: place, and: other) { return place }
        index = (index + 1) & mask
      }
      slots[index] = upperHalf | UInt64(place)
      place = Int(self[place + 1].next)
    }
    return nil
  }

  /// Equal names have equal hashes. Each process uses a random seed, so that a client cannot choose
  /// colliding names.
  private func hash(ofNameAt place: Int) -> Int {
    var hasher = Hasher()
    let entry = self[place]
    let content = unsafe content(of: entry)
    if entry.isComplex {
      unsafe withUnescaped(content) { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    } else {
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer(content))
    }
    return hasher.finalize()
  }
}
