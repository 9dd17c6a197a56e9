package import JSON

/// What a person did with a notification: UIKit's UNNotificationResponse. It may have more members.
package struct NotificationResponse: CarriedMembers {
  package let json: RawJSON

  package init(unchecked json: RawJSON) { self.json = json }

  package static var expectation: String { "a notification response (an object)" }

  package static func check(_ object: JSONValue) throws(MemberError) {
    try object.check("actionIdentifier", String.self)
    try object.check("userInfo", CarriedObject.self)
    try object.check("targetContentIdentifier", String.self)
  }

  /// What was chosen; nil for the notification itself.
  package var actionIdentifier: String? { json.text("actionIdentifier") }
  /// What came with the notification.
  package var userInfo: CarriedObject? { json.member("userInfo", CarriedObject.self) }
  package var targetContentIdentifier: String? { json.text("targetContentIdentifier") }
}
