/// A connection option of a scene in the trace: its subject, never its `userInfo`.
package struct TracedOption: JSONStructure, Equatable, Sendable {
  package var kind = TracedOptionKind.url
  /// A URL, the type of an activity or of a shortcut, the action of a notification, or the name of
  /// an application.
  package var value: String?

  package init() {}

  package init(_ kind: TracedOptionKind, _ value: String?) {
    self.kind = kind
    self.value = value?.clipped(to: TraceEntry.detailBytes)
  }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("kind", &kind)
    try visitor.optional("value", &value)
  }
}

/// The kind of a connection option.
package struct TracedOptionKind: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let url = TracedOptionKind(rawValue: "url")
  package static let userActivity = TracedOptionKind(rawValue: "userActivity")
  package static let handoff = TracedOptionKind(rawValue: "handoffUserActivityType")
  package static let notification = TracedOptionKind(rawValue: "notificationResponse")
  package static let shortcut = TracedOptionKind(rawValue: "shortcutItem")
  package static let sourceApplication = TracedOptionKind(rawValue: "sourceApplication")
}

extension ConnectionOptions {
  /// The first options in the order of the members.
  package func traced(atMost count: Int) -> [TracedOption] {
    let urls = urlContexts.prefix(count).map { TracedOption(.url, $0.url) }
    let activities = userActivities.prefix(count).map { TracedOption(.userActivity, $0.type) }
    let single: [TracedOption?] = [
      handoffUserActivityType.map { TracedOption(.handoff, $0) },
      notificationResponse.map {
        TracedOption(.notification, $0.actionIdentifier ?? $0.targetContentIdentifier)
      },
      shortcutItem.map { TracedOption(.shortcut, $0.type) },
      sourceApplication.map { TracedOption(.sourceApplication, $0) },
    ]
    return Array((urls + activities + single.compactMap { $0 }).prefix(count))
  }

  /// The number of options.
  package var count: Int {
    let single = [
      handoffUserActivityType != nil, notificationResponse != nil, shortcutItem != nil,
      sourceApplication != nil,
    ]
    return urlContexts.count + userActivities.count + single.count { $0 }
  }
}
