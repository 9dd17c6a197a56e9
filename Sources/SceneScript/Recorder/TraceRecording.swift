import SceneCommandLine
package import SceneModel

/// A recorded trace with the saved activities and events: the source of a generated script.
package struct TraceRecording: Sendable {
  package var application: String
  package var entries: [TraceEntry] = []
  /// The known activities by generation. A saved null is a known activity.
  package var activities: [SessionIdentifier: [Int64: Activity?]] = [:]
  /// The known events by topic.
  package var events: [String: [EventPosition: EventPosted]] = [:]
  /// The final sessions; nil without a broker.
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

  /// A script that repeats the requests and expects the same callbacks.
  package var script: String {
    let log = TraceLog(entries)
    var text = RecordedScript()
    text.begin("Recorded from application \(application)\(began(log)).")
    if let first = log.first, first.number > 1 {
      text.note(.sentence("The entries before \(first.number) are missing."))
    }
    let generator = ScriptGenerator(self, log)
    for step in generator.steps.all { text.add(step) }
    text.expect(sessions ?? [], of: generator.clients, self)
    return text.text
  }

  private func began(_ log: TraceLog) -> String {
    log.first.map { ", \(TimeFormat.date($0.time))" } ?? ""
  }
}

extension TraceRecording {
  /// The arguments of `activity`, and a note about members that cannot be typed; nil if unknown.
  func typedText(_ session: SessionIdentifier, _ generation: Int64) -> (
    text: String, note: String?
  )? {
    guard let known = activities[session]?[generation] else { return nil }
    guard let activity = known else { return ("null", nil) }
    let type = activity.type
    guard !type.contains(where: \.isWhitespace), type != "null" else { return nil }
    let isWhole = activity.memberCount == 2
    return (
      "\(type) \(activity.userInfo)",
      isWhole ? nil : "Only the type and the userInfo of an activity can be typed."
    )
  }

  /// The condition for an activity; nil if the activity is unknown.
  func condition(_ session: SessionIdentifier, _ generation: Int64) -> String? {
    if generation == 0 { return "activity=null" }
    guard typedText(session, generation) != nil, let known = activities[session]?[generation] else {
      return nil
    }
    return known.map { "activity.userInfo=\($0.userInfo)" } ?? "activity=null"
  }
}
