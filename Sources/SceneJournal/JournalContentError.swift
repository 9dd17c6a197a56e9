/// Why the content rejects a record.
package struct JournalContentError: Error, Equatable, Sendable {
  /// A clause without a period, for example "session 7 is not known".
  package var reason: String

  package init(_ reason: String) {
    self.reason = reason
  }
}
