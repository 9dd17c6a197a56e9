package import JSON
package import SceneModel

/// What happened on a stage, as far as the standing rules look at it.
package struct StagedStory: Equatable, Sendable {
  /// One broker's.
  package struct Life: Equatable, Sendable {
    package var entries: [TraceEntry]
    /// The generations that clients had been told are saved, when it began.
    package var acknowledged: [SessionIdentifier: Int64]
    /// The directory of what it keeps; nil of one that keeps nothing.
    package var state: String?

    package init(
      _ entries: [TraceEntry], acknowledged: [SessionIdentifier: Int64] = [:],
      state: String? = "state"
    ) {
      self.entries = entries
      self.acknowledged = acknowledged
      self.state = state
    }
  }

  package var lives: [Life]
  /// The generations that clients have been told are saved.
  package var acknowledged: [SessionIdentifier: Int64] = [:]
  /// What somebody wanted to discard when the broker died: nobody knows whether it was.
  package var untoldDiscards: Set<SessionIdentifier> = []
  /// The sessions as the last broker has them, every client gone; nil if there was none to ask.
  package var sessions: [SessionSummary]?

  package var contents = Contents()

  /// Activities, as clients and not brokers have them.
  package struct Contents: Equatable, Sendable {
    /// What clients saved, by generation, as far as they were told which that made.
    package var saved: [SessionIdentifier: [Int64: RawJSON]] = [:]
    /// What clients were handed with their scenes.
    package var handed: [Handover: Handed] = [:]
    /// What each process that was the application delegate was asked and told.
    package var delegates: [Int64: [DelegateHearing]] = [:]
    /// What the last broker has, as it shows it.
    package var kept: [SessionIdentifier: RawJSON] = [:]

    package init() {}
  }

  /// One time that a session was given to a client.
  package struct Handover: Hashable, Sendable {
    package var session: SessionIdentifier
    package var hold: Int64

    package init(_ session: SessionIdentifier, hold: Int64) {
      self.session = session
      self.hold = hold
    }
  }

  /// With what a scene began.
  package struct Handed: Equatable, Sendable {
    package var activity: RawJSON
    /// The generation that it was told is kept from it.
    package var withheld: Int64?
    /// Whether it is of a kind that begins afresh each time.
    package var beginsAfresh = false

    package init(_ activity: RawJSON) { self.activity = activity }
  }

  package init(_ lives: [Life]) { self.lives = lives }
}

/// Something that an application delegate has heard.
package enum DelegateHearing: Equatable, Sendable {
  /// What a session is to be made from.
  case question(SessionIdentifier)
  /// That sessions were discarded.
  case report(String, [SessionIdentifier])
}
