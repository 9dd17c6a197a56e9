import CommandLine
package import SceneModel

/// What people and programs did, as brokers told it, and what was saved meanwhile: what a script is
/// written from.
package struct Recording: Sendable {
  /// The application's name.
  package var application: String
  package var entries: [TraceEntry] = []
  /// What is known to have been saved, by generation; nothing is an activity, too.
  package var activities: [SessionIdentifier: [Int64: Activity?]] = [:]
  /// What is known to have been posted, by topic.
  package var events: [String: [EventPosition: EventPosted]] = [:]
  /// The sessions at the end; nil if there was no broker to ask.
  package var sessions: [SessionSummary]?

  package init(application: String) { self.application = application }

  package mutating func note(_ generations: [Generation]) {
    for generation in generations {
      activities[generation.session, default: [:]][generation.number] = generation.activity
    }
  }

  package mutating func note(_ event: EventPosted) {
    events[event.topic, default: [:]][event.position] = event
  }

  /// A script that does the same and expects the same callbacks.
  package var script: String {
    let story = TraceStory(entries)
    var text = RecordedScript()
    text.begin("Recorded from application \(application)\(began(story)).")
    if let first = story.first, first.number > 1 {
      text.note(.sentence("What was before entry \(first.number) is not known."))
    }
    let retelling = Retelling(self, story)
    for act in retelling.acts { text.add(act) }
    text.expect(sessions ?? [], of: retelling.cast, self)
    return text.text
  }

  private func began(_ story: TraceStory) -> String {
    story.first.map { ", \(WrittenTime.date($0.time))" } ?? ""
  }
}

extension Recording {
  /// As one types it behind `activity`, and what cannot be typed; nil where it is not known.
  func typed(_ session: SessionIdentifier, _ generation: Int64) -> (text: String, note: String?)? {
    guard let known = activities[session]?[generation] else { return nil }
    guard let activity = known else { return ("null", nil) }
    let type = activity.type
    guard !type.contains(where: \.isWhitespace), type != "null" else { return nil }
    let isWhole = activity.memberCount == 2
    return (
      "\(type) \(activity.userInfo)",
      isWhole ? nil : "Of an activity only its type and its userInfo can be typed."
    )
  }

  /// What a `trace` or an `expect` says of an activity; nil where it is not known.
  func condition(_ session: SessionIdentifier, _ generation: Int64) -> String? {
    if generation == 0 { return "activity=null" }
    guard typed(session, generation) != nil, let known = activities[session]?[generation] else {
      return nil
    }
    return known.map { "activity.userInfo=\($0.userInfo)" } ?? "activity=null"
  }
}
