/// Ends the application in order, after all scenes have disconnected.
package struct Terminate: ParameterlessRequest {
  package static var method: StaticString { "application/terminate" }
  package static var permission: Permission { .controls }

  package init() {}
}
