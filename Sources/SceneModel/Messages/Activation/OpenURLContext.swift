package import SceneJSON

/// A URL to open, with options: UIKit's UIOpenURLContext. The options can have more members.
package struct OpenURLContext: OpaqueMembers {
  package let json: RawJSON

  package init(unchecked json: RawJSON) { self.json = json }

  package static var expectation: String { "a URL context (an object)" }

  package static func check(_ object: JSONValue) throws(MemberError) {
    try object.check("url", String.self, isRequired: true)
    try MemberError.inside("url", check(url: object["url"]?.string ?? ""))
    try object.check("options", OpenURLOptions.self)
  }

  /// A text without a scheme, such as a file name, is no URL.
  package static func check(url: String) throws(MemberError) {
    guard !url.beginsWithScheme else { return }
    throw MemberError(
      problem: (url.isEmpty ? "must not be empty" : "missing scheme")
        + "; a URL begins with a scheme and a colon, such as note:packing or "
        + "file:///tmp/packing.txt")
  }

  package var url: String { json.text("url") ?? "" }

  package var options: OpenURLOptions {
    json.member("options", OpenURLOptions.self) ?? OpenURLOptions(unchecked: .emptyObject)
  }
}

/// Options of the open request.
package struct OpenURLOptions: OpaqueMembers {
  package let json: RawJSON

  package init(unchecked json: RawJSON) { self.json = json }

  package static var expectation: String { "an object" }

  package static func check(_ object: JSONValue) throws(MemberError) {
    try object.check("openInPlace", Bool.self)
    try object.check("sourceApplication", String.self)
  }

  /// Whether the scene can use the file in place, without a copy.
  package var openInPlace: Bool { json.member("openInPlace", Bool.self) ?? false }
  package var sourceApplication: String? { json.text("sourceApplication") }
  /// Any value of the application that opens the URL.
  package var annotation: RawJSON? { json.value("annotation") }
}

extension String {
  /// A letter, then letters, digits, `+`, `-` and `.`, then a colon: RFC 3986.
  fileprivate var beginsWithScheme: Bool {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = utf8[..<colon]
    return scheme.first?.isLetter == true
      && scheme.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
