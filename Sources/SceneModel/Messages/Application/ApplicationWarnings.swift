/// Sends a memory warning to all clients, and disconnects all scenes in the background without an
/// assertion. The broker answers when they are unattached.
package struct MemoryWarning: ParameterlessRequest {
  package static var method: StaticString { "application/memoryWarning" }
  package static var permission: Permission { .controls }

  package init() {}
}

/// Notifies all clients of a new day, a new time zone or a new clock time.
package struct SignificantTimeChange: ParameterlessRequest {
  package static var method: StaticString { "application/significantTimeChange" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  package init() {}
}
