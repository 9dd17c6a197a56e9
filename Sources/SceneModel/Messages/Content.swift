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

/// The options of a connect. Members are absent when empty.
package struct ConnectionOptions: JSONStructure, Equatable, Sendable {
  package var urlContexts: [OpenURLContext] = []
  package var userActivities: [Activity] = []
  /// The type of an activity from another device. The activity follows in
  /// `scene/continueUserActivity`.
  package var handoffUserActivityType: String?
  package var notificationResponse: NotificationResponse?
  package var shortcutItem: ShortcutItem?
  /// The application that asked for the connect.
  package var sourceApplication: String?

  package static let none = ConnectionOptions()

  package init() {}

  package init(userActivities: [Activity]) { self.userActivities = userActivities }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.optional("urlContexts", &urlContexts, otherwise: [])
    try visitor.optional("userActivities", &userActivities, otherwise: [])
    try visitor.optional("handoffUserActivityType", &handoffUserActivityType)
    try visitor.optional("notificationResponse", &notificationResponse)
    try visitor.optional("shortcutItem", &shortcutItem)
    try visitor.optional("sourceApplication", &sourceApplication)
  }

  /// The bytes of the members' values as JSON, with the commas between them.
  package var byteCount: Int {
    let carried =
      urlContexts.map(\.byteCount) + userActivities.map(\.byteCount)
      + [notificationResponse?.byteCount, shortcutItem?.byteCount].compactMap { $0 }
    let texts = [handoffUserActivityType, sourceApplication].compactMap { $0?.jsonByteCount }
    return carried.reduce(0, +) + texts.reduce(0, +) + max(0, carried.count - 1)
  }
}
