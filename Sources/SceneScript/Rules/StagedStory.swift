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
    /// What its manifest said when it began.
    package var declared = StagedManifest()
    /// When nothing was under way, in their order.
    package var rests: [Rest] = []

    package init(
      _ entries: [TraceEntry], acknowledged: [SessionIdentifier: Int64] = [:],
      state: String? = "state"
    ) {
      self.entries = entries
      self.acknowledged = acknowledged
      self.state = state
    }
  }

  /// A moment in a broker's life when nothing was under way.
  package struct Rest: Equatable, Sendable {
    /// How much it had told.
    package var entryCount: Int
    /// The processes of which nothing is wanted: they do not run, or are no part of the story.
    package var silent: Set<Int64>

    package init(after entryCount: Int, silent: Set<Int64> = []) {
      self.entryCount = entryCount
      self.silent = silent
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
    /// What each process that was the application delegate was asked and told, in the order in which
    /// they began.
    package var delegates: [Delegate] = []
    /// What clients were sent of a topic, as far as each was told once to observe it.
    package var heard: [Listener: Set<EventPosition>] = [:]
    /// What the last broker has, as it shows it.
    package var kept: [SessionIdentifier: RawJSON] = [:]

    package init() {}
  }

  /// A process that is, or was, the application delegate.
  package struct Delegate: Equatable, Sendable {
    package var process: Int64
    package var hearings: [DelegateHearing]

    package init(_ process: Int64, _ hearings: [DelegateHearing] = []) {
      self.process = process
      self.hearings = hearings
    }
  }

  /// A client that observes a topic. When it comes back, it says where it left off.
  package struct Listener: Hashable, Sendable {
    package var process: Int64
    package var topic: String

    package init(_ process: Int64, topic: String) {
      self.process = process
      self.topic = topic
    }
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
