import SceneCommandLine
import SceneModel

/// The clients of a recorded script, and their processes.
struct RecordedClients {
  struct Client {
    var name: String
    var process: Int64
    /// The current or last session.
    var session: SessionIdentifier
    /// Whether the client has exited, or will exit by itself.
    var isFinished = false
    /// Whether the broker of the client has ended, and the client has not reconnected.
    var hasLostBroker = false
    var hangingCallbacks: Set<CallbackKind> = []
  }

  private(set) var all: [Client] = []
  /// The index of each session's current or last client.
  private var holders: [SessionIdentifier: Int] = [:]
  private var labels: [SessionIdentifier: String] = [:]
  /// The newest known name of each session; nil for a session without a name.
  private var names: [SessionIdentifier: String?] = [:]
  /// The names of these sessions are free again.
  private var discarded: Set<SessionIdentifier> = []
  /// All names that sessions have at any time; invented names avoid them.
  private let existing: Set<String>

  init(names existing: Set<String> = []) { self.existing = existing }

  /// The name of a session in the script, quoted if necessary.
  func label(_ session: SessionIdentifier) -> String { labels[session]?.word ?? session.short }

  /// Chooses a name for a session.
  ///
  /// - Returns: A note if the name differs from the session's own.
  mutating func register(_ session: SessionIdentifier, named name: String?) -> String? {
    guard labels[session] == nil else { return rename(session, to: name) }
    names.updateValue(name, forKey: session)
    if let name, name.isUsableInLines, isFree(name) {
      labels[session] = name
      return nil
    }
    var number = labels.count + 1
    while existing.contains("session-\(number)") || !isFree("session-\(number)") { number += 1 }
    let label = "session-\(number)"
    labels[session] = label
    return "This script calls the session \"\(name ?? session.short)\" \(label)."
  }

  /// Returns a note if the session has a new name: no line of a script renames a session.
  mutating func rename(_ session: SessionIdentifier, to name: String?) -> String? {
    guard let known = names[session], known != name else { return nil }
    names.updateValue(name, forKey: session)
    let change = name.map { "was renamed to \($0)" } ?? "lost its name"
    return "The session \(label(session)) \(change); this script does not rename the session."
  }

  /// Whether no existing session has this name in the script.
  private func isFree(_ label: String) -> Bool {
    !labels.contains { $0.value == label && !discarded.contains($0.key) }
  }

  mutating func discard(_ session: SessionIdentifier) { discarded.insert(session) }

  /// Whether the trace mentions the session.
  func knows(_ session: SessionIdentifier) -> Bool { labels[session] != nil }

  /// Adds a client for a session; returns the first words behind `client`.
  mutating func start(_ process: Int64, _ session: SessionIdentifier) -> [String] {
    let label = labels[session] ?? session.short
    let plain = label.replacing(" ", with: "-")
    let taken = Set(all.filter { !$0.isFinished }.map(\.name))
    var name = plain
    var number = 2
    // A client with another name than its session must not have the name of any other session.
    while taken.contains(name)
      || (name != label && (existing.contains(name) || labels.values.contains(name)))
    {
      name = "\(plain)-\(number)"
      number += 1
    }
    holders[session] = all.count
    all.append(Client(name: name, process: process, session: session))
    return name == label ? [name] : [name, label.word]
  }

  func holder(of session: SessionIdentifier) -> Client? { holders[session].map { all[$0] } }

  /// The client of a process that can connect this session.
  func host(_ process: Int64, for session: SessionIdentifier) -> Client? {
    let candidates = all.filter { $0.process == process && !$0.isFinished }
    return candidates.first { $0.session == session } ?? candidates.first
  }

  mutating func connect(_ session: SessionIdentifier, to scriptClient: Client) {
    guard let index = all.lastIndex(where: { $0.name == scriptClient.name }) else { return }
    all[index].session = session
    all[index].hasLostBroker = false
    holders[session] = index
  }

  mutating func change(_ session: SessionIdentifier, _ body: (inout Client) -> Void) {
    guard let index = holders[session] else { return }
    body(&all[index])
  }

  /// Marks all running clients as disconnected.
  mutating func loseBroker() {
    for index in all.indices where !all[index].isFinished { all[index].hasLostBroker = true }
  }

  /// Ends a client whose scene another client took over.
  mutating func replace(_ scriptClient: Client) {
    guard let index = all.lastIndex(where: { $0.name == scriptClient.name }) else { return }
    all[index].isFinished = true
  }

  /// Ends the running clients of a process; returns their names.
  mutating func end(_ process: Int64) -> [String] {
    var names: [String] = []
    for index in all.indices where all[index].process == process && !all[index].isFinished {
      all[index].isFinished = true
      names.append(all[index].name)
    }
    return names
  }
}

extension String {
  fileprivate var word: String { contains(" ") ? "'\(self)'" : self }

  /// Whether each line of a script accepts this name: a plain name, or several plain names with
  /// single spaces that no condition parses differently.
  fileprivate var isUsableInLines: Bool {
    let parts = split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1 else { return isPlainName }
    let states =
      ActivationState.allCases.map(\.rawValue) + ApplicationPhase.allCases.map(\.rawValue)
    return utf8.count <= 64
      && parts.allSatisfy { $0.isPlainName && suggestion(for: $0, among: states).isEmpty }
      && !parts.contains(where: states.contains)
  }
}
