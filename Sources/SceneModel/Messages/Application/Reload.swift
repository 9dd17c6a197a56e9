/// Reads the manifest's file again and applies it. If the file has errors, the error lists them and
/// the manifest stays.
package struct Reload: ParameterlessRequest {
  package static var method: StaticString { "broker/reload" }
  package static var permission: Permission { .controls }
  package var isIdempotent: Bool { true }

  package init() {}
}
