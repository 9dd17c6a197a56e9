/// Tells what the application's scenes may be, as it is now.
package struct ApplicationManifest: RequestMessage {
  package static var method: StaticString { "application/manifest" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package init() {}

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
  }

  package struct Reply: JSONStructure, Equatable, Sendable {
    /// Where it came from: a file, or `built-in`.
    package var source: String = ""
    /// As a JSON file says it, with every default.
    package var manifest: CarriedObject = .empty

    package init() {}

    package init(source: String, manifest: CarriedObject) {
      self.source = source
      self.manifest = manifest
    }

    package mutating func members<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("source", &source)
      try visitor.required("manifest", &manifest)
    }
  }
}
