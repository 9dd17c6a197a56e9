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
