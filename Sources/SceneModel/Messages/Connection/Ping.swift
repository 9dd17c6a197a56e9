/// Gets an empty reply.
package struct Ping: ParameterlessRequest {
  package static var method: StaticString { "broker/ping" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package init() {}
}
