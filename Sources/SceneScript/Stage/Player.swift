import CommandLine
import JSON
import SceneModel
import ScenePlatform

/// A client of a script: a real `scene --json`, spoken to and listened to.
package final class Player {
  package let name: String
  package let process: StagedProcess
  private let input: ProcessInput
  private let lines: SaidLines
  private var lineCount = 0
  private var newestNumber: Int64 = 0
  /// What was typed and is not answered yet; it reads one line after the other.
  private var owed: Set<Int64> = []
  /// What it said to what was typed, for whoever asks.
  private var answers: [Int64: Saying] = [:]

  /// The callbacks it told of, and how many of them there were before the last line that acted.
  private(set) var callbacks: [ToldCallback] = []
  private(set) var windowStart = 0
  /// The session of its last callback, and the generations that it was told are saved.
  private(set) var session = ""
  private(set) var acknowledged: [String: Int64] = [:]
  /// What was typed to be saved and is not answered, and what was saved, by generation.
  private var typedActivities: [Int64: RawJSON] = [:]
  private(set) var saved: [String: [Int64: RawJSON]] = [:]
  /// What it was handed with its scenes.
  private(set) var handed: [StagedStory.Handover: StagedStory.Handed] = [:]
  /// What it was asked and told as the application delegate.
  private(set) var hearings: [DelegateHearing] = []
  /// What it was sent of each topic that it was told to observe; nil once it was told more of it, so
  /// that it need not say where it left off.
  private var listening: [String: Set<EventPosition>?] = [:]
  var heard: [String: Set<EventPosition>] { listening.compactMapValues(\.self) }
  /// Counts everything that is not an answer to us.
  private(set) var newsCount = 0
  /// Sessions with a callback that it leaves unanswered.
  private var hanging: Set<String> = []
  /// Whether the broker it was with is gone, and it has not come to another yet.
  var isAstray = false
  /// Whether it has noticed that its broker is gone.
  private(set) var isWaiting = false
  var isFrozen = false
  /// Whether it has gone, and everybody knows.
  var isOver = false
  /// Whether it waits to be given a scene.
  private(set) var isIdle = false
  /// Whether its scene is over, and it with it.
  private(set) var isLeaving = false
  /// Whether nothing more can come from it.
  private(set) var isSilent = false

  init(
    _ name: String, _ process: StagedProcess, input: consuming FileDescriptor,
    output: consuming FileDescriptor
  ) throws(SystemError) {
    self.name = name
    self.process = process
    self.input = ProcessInput(input)
    lines = try SaidLines(output)
  }

  /// Whether it still waits for what it was told to do.
  var isBusy: Bool { !owed.isEmpty }
  var isAlive: Bool { process.end == nil && !isSilent }
  /// Whether it will not answer what its scenes are asked.
  var isStuck: Bool { isFrozen || !hanging.isEmpty }

  /// What it was called for since the last line that acted.
  var window: [ToldCallback] { Array(callbacks[windowStart...]) }

  func beginWindow() { windowStart = callbacks.count }

  // MARK: - Listening

  /// The next thing it says; nil when the deadline came first, or nothing more can come, which then
  /// is noted.
  func hear(until deadline: Int64) -> Saying? {
    switch lines.line(at: lineCount, until: deadline) {
    case .line(let line):
      lineCount += 1
      let saying = Saying(line)
      note(saying)
      return saying
    case .end:
      isSilent = true
      return nil
    case nil:
      return nil
    }
  }

  /// Takes in what it has said so far.
  func catchUp() {
    while hear(until: 0) != nil {}
  }

  /// Takes in the rest of what it says.
  func hearToTheEnd(until deadline: Int64) {
    while hear(until: deadline) != nil {}
  }

  private func note(_ saying: Saying) {
    switch saying {
    case .callback(let callback, let session, let isAnswered):
      newsCount += 1
      self.session = session
      callbacks.append(callback)
      if let (hold, handed) = callback.handover, let session = SessionIdentifier(session) {
        self.handed[StagedStory.Handover(session, hold: hold)] = handed
      }
      if let hearing = callback.hearing { hearings.append(hearing) }
      if !isAnswered { hanging.insert(session) }
      if callback.name == "willConnect" { isIdle = false }
      if callback.name == "didDisconnect" { hanging.remove(session) }
    case .event(let event):
      newsCount += 1
      callbacks.append(event)
      if let (topic, position) = event.event { listening[topic]??.insert(position) }
    case .state(let state):
      newsCount += 1
      if state == "waiting" { isWaiting = true }
      if state == "idle" { isIdle = true }
      if state == "ended" { isLeaving = true }
      if state == "connected" { (isAstray, isWaiting) = (false, false) }
    case .reply(let number, let verb, let generation):
      if verb == "answer" { hanging = [] }
      if let generation { acknowledged[session] = generation }
      if let generation, let number, let activity = typedActivities.removeValue(forKey: number) {
        saved[session, default: [:]][generation] = activity
      }
      if let number { settle(number, saying) }
    case .refusal(let number?, let verb, let reason, _):
      settle(number, saying)
      // It has been told so, too, or is about to be.
      if verb == "status", reason == ErrorReason.sessionNotFound.name, !isIdle { isLeaving = true }
    case .refusal, .other:
      break
    }
  }

  private func settle(_ number: Int64, _ answer: Saying) {
    owed.remove(number)
    answers[number] = answer
  }

  // MARK: - Talking

  /// Says a line as a person would type it; the number is that of its answer.
  func type(_ text: String, until deadline: Int64) throws(StepFailure) -> Int64 {
    if let complaint = Self.complaint(aboutTyping: text, at: name) { throw .broken(complaint) }
    newestNumber += 1
    let line = Self.line(typing: text, number: newestNumber)
    let isRead = try step { () throws(SystemError) in try input.write(line, until: deadline) }
    guard isRead else { throw .broken("\(name) does not read what is typed") }
    owed.insert(newestNumber)
    typedActivities[newestNumber] = Self.activity(in: text)
    if let topic = Self.topic(in: text) {
      listening[topic] = .some(listening[topic] == nil ? [] : nil)
    }
    return newestNumber
  }

  private static func line(typing text: String, number: Int64) -> ContiguousArray<UInt8> {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("typed")
    writer.string(text)
    writer.name("id")
    writer.integer(number)
    writer.endObject()
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  /// A client reads no line that is longer, in bytes of JSON.
  private static let longestLine = 1 << 20

  /// What to say of a line that is too long to be typed; nil of one that is not.
  static func complaint(aboutTyping text: String, at name: String) -> String? {
    guard text.utf8.count > longestLine / 8 else { return nil }
    let length = line(typing: text, number: .max).count
    guard length > longestLine else { return nil }
    return "what is typed at \(PlainText.word(name)) is too long: with its quotes it has \(length) "
      + "bytes, and a client reads lines of at most \(longestLine); make it shorter (an activity may "
      + "have 262144 bytes, unless broker start --limit activityBytes=N says otherwise)"
  }

  /// What a line saves; nil if it saves nothing.
  private static func activity(in line: String) -> RawJSON? {
    let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard words.first == "activity", let rest = words.dropFirst().first,
      let typed = try? TypedActivity(String(rest))
    else { return nil }
    return typed.activity?.json ?? .null
  }

  /// What a line observes, or no longer; nil if it does neither.
  private static func topic(in line: String) -> String? {
    let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard words.count == 2, ["observe", "cease"].contains(words[0]) else { return nil }
    return words[1].split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The answer of that number, which may have been heard before; nil if it ended first, or the
  /// deadline came.
  func answer(to number: Int64, until deadline: Int64) -> Saying? {
    while answers[number] == nil, hear(until: deadline) != nil {}
    return answers.removeValue(forKey: number)
  }
}
