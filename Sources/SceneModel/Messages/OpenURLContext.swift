package import JSON

/// A URL to open, and how: UIKit's UIOpenURLContext. Its options may have more members than these.
package struct OpenURLContext: CarriedMembers {
  package let json: RawJSON

  package init(unchecked json: RawJSON) { self.json = json }

  package static var expectation: String { "a URL context (an object)" }

  package static func check(_ object: JSONValue) throws(MemberError) {
    try object.check("url", String.self, isRequired: true)
    if object["url"]?.equals("") == true { throw MemberError(path: "url", problem: "is empty") }
    try object.check("options", OpenURLOptions.self)
  }

  package var url: String { json.text("url") ?? "" }

  package var options: OpenURLOptions {
    json.member("options", OpenURLOptions.self) ?? OpenURLOptions(unchecked: .emptyObject)
  }
}

/// How a URL is to be opened, and who wants it.
package struct OpenURLOptions: CarriedMembers {
  package let json: RawJSON

  package init(unchecked json: RawJSON) { self.json = json }

  package static var expectation: String { "an object" }

  package static func check(_ object: JSONValue) throws(MemberError) {
    try object.check("openInPlace", Bool.self)
    try object.check("sourceApplication", String.self)
  }

  /// Whether the scene may use the file where it is, and need not copy it.
  package var openInPlace: Bool { json.member("openInPlace", Bool.self) ?? false }
  package var sourceApplication: String? { json.text("sourceApplication") }
  /// Any value that the one who opens it wants to hand over.
  package var annotation: RawJSON? { json.value("annotation") }
}
