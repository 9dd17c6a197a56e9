import CommandLine
package import SceneModel

/// What must be so in every story, whatever a script does.
protocol StandingRule {
  /// A broker begins its life.
  mutating func begin(_ life: StagedStory.Life)

  /// Looks at what happened to a session or to a client; what is wrong about it, if anything.
  mutating func take(_ entry: TraceEntry) -> String?

  /// Looks at what there is when nothing is under way; what is wrong, with the session it is about,
  /// if it is about one.
  mutating func rest(_ rest: StagedStory.Rest) -> [(SessionIdentifier?, String)]

  /// Looks at what is there at the end; what is wrong, with the session it is about.
  func conclude(_ sessions: [SessionSummary], _ story: StagedStory) -> [(SessionIdentifier, String)]
}

extension StandingRule {
  mutating func rest(_ rest: StagedStory.Rest) -> [(SessionIdentifier?, String)] { [] }

  func conclude(
    _ sessions: [SessionSummary], _ story: StagedStory
  ) -> [(SessionIdentifier, String)] { [] }
}

/// A rule did not hold.
package struct RuleBreach: Equatable, Sendable {
  /// Which session it is about, and what is wrong; safe to show.
  package var sentence: String
  /// What happened to the session up to there; the newest is the last.
  package var rows: [Row] = []
  /// The line of the script that it is about, if it is about one.
  var line: Script.Line?

  /// One thing that happened, and when in the story: in microseconds.
  package struct Row: Equatable, Sendable {
    package var entry: TraceEntry
    package var time: Int64
  }

  package var lines: [String] {
    [sentence] + rows.map { "  \(WrittenTime.seconds($0.time))  \($0.entry.sentence)" }
  }
}

package enum StandingRules {
  /// How much of a session's story is told with a breach.
  private static let toldRows = 8

  /// All that is against the rules, in the order in which it happened.
  package static func breaches(in story: StagedStory) -> [RuleBreach] {
    var rules: [any StandingRule] = [
      LineRule(), HolderRule(), SavingRule(), WithholdingRule(story), ContentRule(story),
      DiscardRule(), DeliveryRule(story), LaunchRule(), DelegateRule(story),
    ]
    var breaches: [RuleBreach] = []
    var told: [SessionIdentifier: [RuleBreach.Row]] = [:]
    var clock: StoryClock?
    for life in story.lives {
      for index in rules.indices { rules[index].begin(life) }
      if let first = life.entries.first {
        clock = clock ?? StoryClock(first)
        clock?.begin(first)
      }
      var rests = life.rests[...]
      for (count, entry) in zip(1..., life.entries) {
        let row = RuleBreach.Row(entry: entry, time: clock?.time(of: entry) ?? 0)
        if let session = entry.session { told[session, default: []].append(row) }
        for index in rules.indices {
          guard let problem = rules[index].take(entry) else { continue }
          let rows = entry.session.flatMap { told[$0] } ?? [row]
          breaches.append(breach(entry.label, problem, rows))
        }
        while let rest = rests.first, rest.entryCount <= count {
          rests.removeFirst()
          for (session, problem) in rules.indices.flatMap({ rules[$0].rest(rest) }) {
            let rows = session.flatMap { told[$0] } ?? [row]
            breaches.append(breach(session == nil ? nil : rows.last?.entry.label, problem, rows))
          }
        }
      }
    }
    guard let sessions = story.sessions else { return breaches }
    for (session, problem) in rules.flatMap({ $0.conclude(sessions, story) }) {
      let rows = told[session] ?? []
      breaches.append(breach(rows.last?.entry.label ?? session.short, problem, rows))
    }
    return breaches
  }

  private static func breach(
    _ who: String?, _ problem: String, _ rows: [RuleBreach.Row]
  ) -> RuleBreach {
    RuleBreach(
      sentence: PlainText.escaped("\(who ?? TraceEntry.nobody): \(problem)"),
      rows: Array(rows.suffix(toldRows)))
  }
}

extension TraceEntry {
  /// Whom it is about; not safe to show.
  fileprivate var label: String { name ?? session?.short ?? client?.label ?? Self.nobody }

  /// Who it is about where it is about nobody.
  fileprivate static let nobody = "the broker"
}
