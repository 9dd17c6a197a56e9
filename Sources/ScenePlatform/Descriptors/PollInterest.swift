/// The events that a poller reports for a descriptor.
package struct PollInterest: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  // An array literal of options and a comparison call unspecialized code in another module.
  package init(readable: Bool, writable: Bool) {
    rawValue = (readable ? 1 : 0) | (writable ? 2 : 0)
  }

  package static func == (one: Self, other: Self) -> Bool { one.rawValue == other.rawValue }

  package static let readable = PollInterest(rawValue: 1)
  package static let writable = PollInterest(rawValue: 2)
  /// A file of the kernel reports an event, as readable. Only Linux has such files.
  package static let priority = PollInterest(rawValue: 4)
}

/// The interests of the descriptors of a poller, by their numbers.
struct PollInterests {
  private var values: ContiguousArray<PollInterest> = []

  /// The entry of a closed descriptor stays until the poller gets that number again.
  subscript(descriptor: Int32) -> PollInterest {
    get { values.indices.contains(Int(descriptor)) ? values[Int(descriptor)] : [] }
    set {
      while values.count <= Int(descriptor) { values.append([]) }
      values[Int(descriptor)] = newValue
    }
  }
}
