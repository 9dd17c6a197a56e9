/// Returns the manifest that is in use.
package struct ApplicationManifest: ParameterlessRequest {
  package static var method: StaticString { "application/manifest" }
  package static var permission: Permission { .anyone }
  package var isIdempotent: Bool { true }

  package init() {}

  package struct Reply: JSONStructure, Equatable, Sendable {
    /// The manifest's file, or `built-in`.
    package var source: String = ""
    /// The manifest as a JSON file, with all defaults.
    package var manifest: OpaqueObject = .empty

    package init() {}

    package init(source: String, manifest: OpaqueObject) {
      self.source = source
      self.manifest = manifest
    }

    package mutating func visitMembers<Visitor: MemberVisitor>(
      _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
      try visitor.required("source", &source)
      try visitor.required("manifest", &manifest)
    }
  }
}
