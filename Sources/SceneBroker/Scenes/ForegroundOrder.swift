import SceneModel

/// The scenes that count for a foreground limit, the least recently activated first.
struct ForegroundOrder: Equatable {
  struct Entry: Equatable {
    /// The most recently activated scene has the highest value.
    let order: UInt64
    let session: SessionIdentifier

    static func < (one: Entry, other: Entry) -> Bool {
      (one.order, one.session) < (other.order, other.session)
    }
  }

  /// A slice, so that the first entry leaves in constant time.
  private var entries: ArraySlice<Entry>

  init(_ entries: [Entry]) { self.entries = entries.sorted(by: <)[...] }

  static func == (one: Self, other: Self) -> Bool { one.entries.elementsEqual(other.entries) }

  /// An entry moves when its scene is activated again.
  mutating func replace(_ before: Entry?, by after: Entry?) {
    guard before != after else { return }
    if let before { entries.remove(at: place(of: before)) }
    if let after { entries.insert(after, at: place(of: after)) }
  }

  /// The place of an entry, or the place where it belongs. An activation belongs at the end.
  private func place(of entry: Entry) -> Int {
    if let last = entries.last, last < entry { return entries.endIndex }
    var range = entries.startIndex..<entries.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        entries[middle] < entry ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// The least recently activated scenes beyond the limit, in that order.
  func excess(limit: Int) -> [SessionIdentifier] {
    entries.dropLast(limit).map(\.session)
  }
}
