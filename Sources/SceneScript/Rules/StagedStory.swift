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

  package init(_ lives: [Life]) { self.lives = lives }
}
