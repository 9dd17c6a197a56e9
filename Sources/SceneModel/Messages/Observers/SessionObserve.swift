/// Starts notifications of all changes of sessions.
package struct SessionObserve: ParameterlessRequest {
  package static var method: StaticString { "session/observe" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package init() {}
}
