extension Dictionary {
  /// Releases memory of a dictionary that has become much smaller.
  package mutating func returnUnusedCapacity() {
    guard capacity > 1024, capacity / 4 > count else { return }
    var copy = Dictionary(minimumCapacity: count)
    for (key, value) in self { copy[key] = value }
    self = copy
  }
}
