package import SceneJSON

/// A person's response to a notification: UIKit's UNNotificationResponse, possibly with more
/// members.
package struct NotificationResponse: OpaqueMembers {
  package let json: RawJSON

  package init(unchecked json: RawJSON) { self.json = json }

  package static var expectation: String { "a notification response (an object)" }

  package static func check(_ object: JSONValue) throws(MemberError) {
    try object.check("actionIdentifier", String.self)
    try object.check("userInfo", OpaqueObject.self)
    try object.check("targetContentIdentifier", String.self)
  }

  /// The chosen action; nil for the notification itself.
  package var actionIdentifier: String? { json.text("actionIdentifier") }
  /// The content of the notification.
  package var userInfo: OpaqueObject? { json.member("userInfo", OpaqueObject.self) }
  package var targetContentIdentifier: String? { json.text("targetContentIdentifier") }
}
