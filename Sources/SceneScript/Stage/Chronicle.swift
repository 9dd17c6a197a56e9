import JSON
import SceneModel

/// What happened on a stage, as it goes on: what the standing rules look at in the end.
struct Chronicle {
  /// What all brokers told, but for what is ours.
  var entries: [TraceEntry] = []
  /// Where in it the script was over; nil while it goes on.
  var end: Int?
  /// Where in it each broker's life begins, and what was known then.
  private var lives: [Life] = []
  /// The generations that clients were told are saved.
  private var acknowledged: [SessionIdentifier: Int64] = [:]
  /// What somebody wanted to discard where no broker may have told of it.
  private var untoldDiscards: Set<SessionIdentifier> = []
  /// What clients saved, and what they were handed.
  private(set) var contents = StagedStory.Contents()

  /// A broker's, without what it told.
  private struct Life {
    /// Where in the story it begins.
    var start: Int
    /// The generations that clients had been told are saved.
    var acknowledged: [SessionIdentifier: Int64]
    /// The directory of what it keeps; nil of one that keeps nothing.
    var state: String?
    /// What its manifest said then.
    var declared: StagedManifest
    /// When nothing was under way, by the story's length.
    var rests: [StagedStory.Rest] = []
  }

  /// What is told from here on is that of another broker.
  mutating func beginLife(state: String?, declared: StagedManifest) {
    lives.append(
      Life(start: entries.count, acknowledged: acknowledged, state: state, declared: declared))
  }

  /// Nothing is under way, and everything that was told has been heard.
  mutating func rest(silent: Set<Int64>) {
    guard let life = lives.indices.last else { return }
    let rest = StagedStory.Rest(after: entries.count - lives[life].start, silent: silent)
    if lives[life].rests.last != rest { lives[life].rests.append(rest) }
  }

  func isDelegate(_ player: Player) -> Bool {
    contents.delegates.contains { $0.process == Int64(player.process.pid) }
  }

  /// A client that is the application delegate.
  mutating func add(delegate player: Player) {
    contents.delegates.append(StagedStory.Delegate(Int64(player.process.pid)))
  }

  /// Takes over what a client saved and was told, and what it was handed.
  mutating func take(_ player: Player) {
    for (text, generation) in player.acknowledged {
      guard let session = SessionIdentifier(text) else { continue }
      acknowledged[session] = max(generation, acknowledged[session] ?? 0)
    }
    contents.take(player)
  }

  /// Somebody wants to discard something in these words, or the scene that the client has, and may
  /// do so without being told of.
  mutating func noteDiscard(_ words: [String], of player: Player?) {
    let story = TraceStory(entries)
    for word in words {
      let prefix = IdentifierPrefix(word)
      untoldDiscards.formUnion(story.sessions(named: word) { prefix?.matches($0) ?? false })
    }
    if let session = player.flatMap({ SessionIdentifier($0.session) }) {
      untoldDiscards.insert(session)
    }
  }

  /// Everything up to now, for the standing rules.
  func told(_ sessions: [SessionSummary]?, _ kept: [SessionIdentifier: RawJSON]) -> StagedStory {
    let ends = lives.dropFirst().map(\.start) + [entries.count]
    var story = StagedStory(
      zip(lives, ends).map { life, end in
        var told = StagedStory.Life(
          Array(entries[life.start..<end]), acknowledged: life.acknowledged, state: life.state)
        (told.declared, told.rests) = (life.declared, life.rests)
        return told
      })
    story.acknowledged = acknowledged
    story.untoldDiscards = untoldDiscards
    story.sessions = sessions
    story.contents = contents
    story.contents.kept = kept
    return story
  }
}

extension StagedStory.Contents {
  /// Takes over what a client saved, and what it was handed.
  fileprivate mutating func take(_ player: Player) {
    for (text, generations) in player.saved {
      guard let session = SessionIdentifier(text) else { continue }
      saved[session, default: [:]].merge(generations) { _, new in new }
    }
    handed.merge(player.handed) { _, new in new }
    let process = Int64(player.process.pid)
    if let index = delegates.lastIndex(where: { $0.process == process }) {
      delegates[index].hearings = player.hearings
    }
    for (topic, positions) in player.heard {
      heard[StagedStory.Listener(process, topic: topic)] = positions
    }
  }
}
