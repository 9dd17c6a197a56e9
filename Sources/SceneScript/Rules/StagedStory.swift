package import JSON
package import SceneModel

/// What happened on a stage, as far as the standing rules look at it.
package struct StagedStory: Equatable, Sendable {
  /// One broker's.
  package struct Life: Equatable, Sendable {
    package var entries: [TraceEntry]
    /// The generations that clients had been told are saved, when it began.
    package var acknowledged: [SessionIdentifier: Int64]

    package init(_ entries: [TraceEntry], acknowledged: [SessionIdentifier: Int64] = [:]) {
      self.entries = entries
      self.acknowledged = acknowledged
    }
  }

  package var lives: [Life]
  /// The generations that clients have been told are saved.
  package var acknowledged: [SessionIdentifier: Int64] = [:]
  /// The sessions as the last broker has them, every client gone; nil if there was none to ask.
  package var sessions: [SessionSummary]?

  package var contents = Contents()

  /// Activities, as clients and not brokers have them.
  package struct Contents: Equatable, Sendable {
    /// What clients saved, by generation, as far as they were told which that made.
    package var saved: [SessionIdentifier: [Int64: RawJSON]] = [:]
    /// What each process was handed whenever it was given a scene of a session.
    package var returned: [Int64: [SessionIdentifier: [RawJSON]]] = [:]
    /// What the last broker has, as it shows it.
    package var kept: [SessionIdentifier: RawJSON] = [:]

    package init() {}
  }

  package init(_ lives: [Life]) { self.lives = lives }
}
