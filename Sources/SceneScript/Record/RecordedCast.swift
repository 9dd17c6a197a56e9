import CommandLine
import SceneModel

/// The clients of a recorded script, and which process each of them was.
struct RecordedCast {
  struct Player {
    var name: String
    var process: Int64
    /// The scene it has, or had last.
    var session: SessionIdentifier
    /// Whether it has ended, or will without being told to.
    var isOver = false
    /// Whether its broker is gone, and it has not come to another yet.
    var isAstray = false
    /// What it does not answer any more.
    var hung: Set<CallbackKind> = []
  }

  private(set) var players: [Player] = []
  /// The client that has, or had last, a session.
  private var holders: [SessionIdentifier: Int] = [:]
  private var labels: [SessionIdentifier: String] = [:]
  /// Sessions that are discarded: another may have the name.
  private var discarded: Set<SessionIdentifier> = []
  /// What sessions are called that there are at some time: no name that is invented.
  private let existing: Set<String>

  init(besides existing: Set<String> = []) { self.existing = existing }

  /// What a session is called in the script, as a word of a line.
  func label(_ session: SessionIdentifier) -> String { labels[session]?.word ?? session.short }

  /// Finds a name for a session; the note says so if it is not its own.
  mutating func meet(_ session: SessionIdentifier, named name: String?) -> String? {
    guard labels[session] == nil else { return nil }
    if let name, name.isSayable, isFree(name) {
      labels[session] = name
      return nil
    }
    var number = labels.count + 1
    while existing.contains("session-\(number)") || !isFree("session-\(number)") { number += 1 }
    let label = "session-\(number)"
    labels[session] = label
    return "The session \(name ?? session.short) is called \(label) here."
  }

  /// Whether no session has it that is there: one that was renamed keeps its first name here.
  private func isFree(_ label: String) -> Bool {
    !labels.contains { $0.value == label && !discarded.contains($0.key) }
  }

  mutating func discard(_ session: SessionIdentifier) { discarded.insert(session) }

  /// Whether something was told of a session.
  func knows(_ session: SessionIdentifier) -> Bool { labels[session] != nil }

  /// A client that is started for a session; of the words behind `client` the first are given.
  mutating func start(_ process: Int64, _ session: SessionIdentifier) -> [String] {
    let label = labels[session] ?? session.short
    let plain = label.replacing(" ", with: "-")
    let taken = Set(players.filter { !$0.isOver }.map(\.name))
    var name = plain
    var number = 2
    // A client that is not called as its session is called as none.
    while taken.contains(name)
      || (name != label && (existing.contains(name) || labels.values.contains(name)))
    {
      name = "\(plain)-\(number)"
      number += 1
    }
    holders[session] = players.count
    players.append(Player(name: name, process: process, session: session))
    return name == label ? [name] : [name, label.word]
  }

  func holder(of session: SessionIdentifier) -> Player? { holders[session].map { players[$0] } }

  /// The client of a process that is without a scene, or waits to get this one back.
  func host(_ process: Int64, for session: SessionIdentifier) -> Player? {
    let candidates = players.filter { $0.process == process && !$0.isOver }
    return candidates.first { $0.session == session } ?? candidates.first
  }

  mutating func give(_ session: SessionIdentifier, to player: Player) {
    guard let index = players.lastIndex(where: { $0.name == player.name }) else { return }
    players[index].session = session
    players[index].isAstray = false
    holders[session] = index
  }

  mutating func change(_ session: SessionIdentifier, _ body: (inout Player) -> Void) {
    guard let index = holders[session] else { return }
    body(&players[index])
  }

  /// The broker is gone, and whoever is there with it.
  mutating func loseBroker() {
    for index in players.indices where !players[index].isOver { players[index].isAstray = true }
  }

  /// Another client has taken its scene.
  mutating func replace(_ player: Player) {
    guard let index = players.lastIndex(where: { $0.name == player.name }) else { return }
    players[index].isOver = true
  }

  /// Ends the clients of a process that have not ended; their names.
  mutating func end(_ process: Int64) -> [String] {
    var names: [String] = []
    for index in players.indices where players[index].process == process && !players[index].isOver {
      players[index].isOver = true
      names.append(players[index].name)
    }
    return names
  }
}

extension String {
  /// As one word of a line.
  fileprivate var word: String { contains(" ") ? "'\(self)'" : self }

  /// Whether a session that is called so can be named in every line: a plain name, or several with a
  /// blank between each two, which no condition takes for anything else.
  fileprivate var isSayable: Bool {
    let parts = split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1 else { return isPlainName }
    let states =
      ActivationState.allCases.map(\.rawValue) + ApplicationPhase.allCases.map(\.rawValue)
    return utf8.count <= 64
      && parts.allSatisfy { $0.isPlainName && suggestion(for: $0, among: states).isEmpty }
      && !parts.contains(where: states.contains)
  }
}
