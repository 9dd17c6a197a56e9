package import SceneJSON

/// A shortcut that a person chose: UIKit's UIApplicationShortcutItem, possibly with more members.
package struct ShortcutItem: OpaqueMembers {
  package let json: RawJSON

  package init(unchecked json: RawJSON) { self.json = json }

  package static var expectation: String { "a shortcut item (an object)" }

  package static func check(_ object: JSONValue) throws(MemberError) {
    try object.check("type", String.self, isRequired: true)
    if object["type"]?.equals("") == true {
      throw MemberError(path: "type", problem: "must not be empty")
    }
    try object.check("localizedTitle", String.self)
    try object.check("userInfo", OpaqueObject.self)
    try object.check("targetContentIdentifier", String.self)
  }

  /// The type, which the application defines.
  package var type: String { json.text("type") ?? "" }
  package var localizedTitle: String? { json.text("localizedTitle") }
  package var userInfo: OpaqueObject? { json.member("userInfo", OpaqueObject.self) }
  package var targetContentIdentifier: String? { json.text("targetContentIdentifier") }
}
