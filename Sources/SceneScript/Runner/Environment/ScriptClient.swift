import SceneCommandLine
import SceneJSON
import SceneModel
import ScenePlatform

/// A client of a script: a `scene --json` process with its input and output.
package final class ScriptClient {
  package let name: String
  private let child: PipedProcess
  private var lineCount = 0
  private var newestNumber: Int64 = 0
  /// The numbers of the typed lines without an answer. The client reads one line after the other.
  private var pendingLines: Set<Int64> = []
  private var answers: [Int64: ClientOutput] = [:]

  /// All callbacks so far, and their number before the last line that acted.
  private(set) var callbacks: [ObservedCallback] = []
  private(set) var recentStart = 0
  /// The session of the last callback, and the acknowledged generation of each session.
  private(set) var session = ""
  private(set) var acknowledged: [SessionIdentifier: Int64] = [:]
  /// The activities of typed lines without an answer, and the saved activities by generation.
  private var typedActivities: [Int64: RawJSON] = [:]
  private(set) var saved: [SessionIdentifier: [Int64: RawJSON]] = [:]
  private(set) var restored: [RunHistory.SessionHold: RunHistory.RestoredState] = [:]
  /// The calls that the client received as application delegate.
  private(set) var delegateCalls: [DelegateCall] = []
  /// The received events of each observed topic. Nil after a second `observe`, because the client
  /// then does not resume at its last event.
  private var observedTopics: [String: Set<EventPosition>?] = [:]
  var receivedEvents: [String: Set<EventPosition>] { observedTopics.compactMapValues(\.self) }
  /// The number of lines that are no answers.
  private(set) var messageCount = 0
  /// The sessions with a callback that the client does not answer.
  private var unanswered: Set<String> = []
  /// Whether the broker of the client has ended, and the client has not reconnected.
  var hasLostBroker = false
  /// Whether the client has noticed the end of its broker.
  private(set) var isWaiting = false
  var isFrozen = false
  /// Whether the client has exited, and the broker has noticed the exit.
  var isFinished = false
  /// Whether the client has no scene and waits for an activation.
  private(set) var isIdle = false
  /// Whether the client's scene has ended, so that the client exits.
  private(set) var hasSceneEnded = false
  private(set) var hasClosedOutput = false

  init(_ name: String, _ child: PipedProcess) {
    self.name = name
    self.child = child
  }

  package var process: ManagedProcess { child.process }
  var hasPendingLines: Bool { !pendingLines.isEmpty }
  var isAlive: Bool { process.end == nil && !hasClosedOutput }
  /// Whether the client does not answer callbacks.
  var mayNotAnswer: Bool { isFrozen || !unanswered.isEmpty }

  /// The callbacks since the last line that acted.
  var recentCallbacks: [ObservedCallback] { Array(callbacks[recentStart...]) }

  func resetRecentCallbacks() { recentStart = callbacks.count }

  // MARK: - Output

  /// The next line of output; nil at the deadline or at the end of the output.
  func nextOutput(until deadline: Int64) -> ClientOutput? {
    switch child.output.line(at: lineCount, until: deadline) {
    case .line(let line):
      lineCount += 1
      let output = ClientOutput(line)
      record(output)
      return output
    case .end:
      hasClosedOutput = true
      return nil
    case nil:
      return nil
    }
  }

  /// Reads the output that has already arrived.
  func readAvailable() {
    while nextOutput(until: 0) != nil {}
  }

  func readToEnd(until deadline: Int64) {
    while nextOutput(until: deadline) != nil {}
  }

  private func record(_ output: ClientOutput) {
    switch output {
    case .callback(let callback, let session, let isAnswered):
      messageCount += 1
      self.session = session
      callbacks.append(callback)
      if let (hold, restored) = callback.restoration, let session = SessionIdentifier(session) {
        self.restored[RunHistory.SessionHold(session: session, hold: hold)] = restored
      }
      if let delegateCall = callback.delegateCall { delegateCalls.append(delegateCall) }
      if !isAnswered { unanswered.insert(session) }
      if callback.name == "willConnect" { isIdle = false }
      if callback.name == "didDisconnect" { unanswered.remove(session) }
    case .event(let event):
      messageCount += 1
      callbacks.append(event)
      if let (topic, position) = event.event { observedTopics[topic]??.insert(position) }
    case .state(let state):
      messageCount += 1
      if state == "waiting" { isWaiting = true }
      if state == "idle" { isIdle = true }
      if state == "ended" { hasSceneEnded = true }
      if state == "connected" { (hasLostBroker, isWaiting) = (false, false) }
    case .reply(let number, let verb, let generation):
      if verb == "answer" { unanswered = [] }
      if let generation, let session = SessionIdentifier(session) {
        acknowledged[session] = generation
        if let activity = number.flatMap({ typedActivities.removeValue(forKey: $0) }) {
          saved[session, default: [:]][generation] = activity
        }
      }
      if let number { complete(number, output) }
    case .refusal(let number?, let verb, let reason, _):
      complete(number, output)
      // The client learns this by itself, too.
      if verb == "status", reason == ErrorReason.sessionNotFound.name, !isIdle {
        hasSceneEnded = true
      }
    case .refusal, .other:
      break
    }
  }

  private func complete(_ number: Int64, _ answer: ClientOutput) {
    pendingLines.remove(number)
    answers[number] = answer
  }

  // MARK: - Input

  /// Types a line and returns the number of its answer.
  ///
  /// - Throws: If the line is too long, or the client does not read its input.
  func type(_ text: String, until deadline: Int64) throws(StepFailure) -> Int64 {
    if let problem = Self.problem(typing: text, at: name) { throw .unrunnable(problem) }
    newestNumber += 1
    let line = Self.line(typing: text, number: newestNumber)
    let isRead = try step(child.input.write(line, until: deadline))
    guard isRead else { throw .unrunnable("\(name) does not read its input") }
    pendingLines.insert(newestNumber)
    typedActivities[newestNumber] = Self.activity(in: text)
    if let topic = Self.topic(in: text) {
      observedTopics[topic] = .some(observedTopics[topic] == nil ? [] : nil)
    }
    return newestNumber
  }

  private static func line(typing text: String, number: Int64) -> ContiguousArray<UInt8> {
    let line = JSONWriter.object { writer in
      writer.member("typed", text)
      writer.member("id", number)
    }
    return line.bytes + [UInt8(ascii: "\n")]
  }

  /// The limit of `scene` for one line, in bytes of JSON.
  private static let longestLine = 1 << 20

  /// The error for a line that is too long; nil for other lines.
  static func problem(typing text: String, at name: String) -> String? {
    guard text.utf8.count > longestLine / 8 else { return nil }
    let length = line(typing: text, number: .max).count
    guard length > longestLine else { return nil }
    return "the text typed at \(PlainText.word(name)) is too long: \(length) bytes as JSON, limit "
      + "\(longestLine); shorten it (an activity has at most 262144 bytes, or the value of "
      + "broker start --limit activityBytes=N)"
  }

  /// The activity that a typed line saves; nil if the line saves none.
  private static func activity(in line: String) -> RawJSON? {
    let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard words.first == "activity", let rest = words.dropFirst().first,
      let typed = try? TypedActivity(String(rest))
    else { return nil }
    return typed.activity?.json ?? .null
  }

  /// The topic of an `observe` or `cease` line; nil for other lines.
  private static func topic(in line: String) -> String? {
    let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard words.count == 2, ["observe", "cease"].contains(words[0]) else { return nil }
    return words[1].split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The answer to the line with this number; nil at the deadline or at the end of the output.
  func answer(to number: Int64, until deadline: Int64) -> ClientOutput? {
    while answers[number] == nil, nextOutput(until: deadline) != nil {}
    return answers.removeValue(forKey: number)
  }
}
