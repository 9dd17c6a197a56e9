/// The events that a poller reports for a descriptor.
package struct PollInterest: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let readable = PollInterest(rawValue: 1)
  package static let writable = PollInterest(rawValue: 2)
}
