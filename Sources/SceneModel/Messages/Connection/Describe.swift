/// Returns all methods, limits and errors of this broker.
package struct Describe: ParameterlessRequest {
  package static var method: StaticString { "broker/describe" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package init() {}

  package typealias Reply = OpaqueObject
}
