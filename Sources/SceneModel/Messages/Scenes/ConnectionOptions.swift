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

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
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
