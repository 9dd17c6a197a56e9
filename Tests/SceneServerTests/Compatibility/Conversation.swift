import SceneJSON
import SceneModel
import SceneTestSupport

@testable import SceneServer

/// A recorded conversation of clients with a broker: a text with a step in each line.
///
///     # a comment
///     1 > JSON       client 1 sends a message; the first one connects it
///     1 a> JSON      the same; $a is the next session that a message names
///     1 < JSON       client 1 gets a message
///     pass 5         5 s pass
///     close 1        client 1 closes its connection
final class Conversation {
  private let fixture: EventLoopFixture
  private var clients: [Int: Connection] = [:]
  /// The variables, without the dollar sign, and the identifiers that they stand for.
  private var sessions: [(name: String, identifier: String)] = []
  /// A variable whose session no message has named yet.
  private var awaited: String?

  init(_ fixture: EventLoopFixture) { self.fixture = fixture }

  /// Performs the steps of the text. Returns them with the messages of this broker.
  func play(_ text: String) throws -> String {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.contains(#/^\d+ < /#) { continue }
      lines.append(String(line))
      lines += try perform(line)
    }
    return lines.joined(separator: "\n")
  }

  private func perform(_ line: Substring) throws -> [String] {
    if line.isEmpty || line.hasPrefix("#") { return [] }
    if let (_, number, name, json) = line.wholeMatch(of: #/(\d+) (\w*)> (.+)/#)?.output {
      if !name.isEmpty { awaited = String(name) }
      return try send(String(json), from: Int(number) ?? 0)
    }
    if let (_, seconds) = line.wholeMatch(of: #/pass (\d+)/#)?.output {
      fixture.pass(.seconds(Int64(seconds) ?? 0), iterations: 2)
      return messages()
    }
    if let (_, number) = line.wholeMatch(of: #/close (\d+)/#)?.output,
      let client = clients.removeValue(forKey: Int(number) ?? 0)
    {
      fixture.iterate { fixture.eventLoop.close(client, .connectionLost) }
      return messages()
    }
    throw Unmet("no step of a conversation: \(line)")
  }

  private func send(_ json: String, from number: Int) throws -> [String] {
    let client = clients[number] ?? fixture.connect(pid: Int64(number))
    clients[number] = client
    let text = sessions.reduce(json) { $0.replacing("$\($1.name)", with: $1.identifier) }
    if let name = text.firstMatch(of: #/\$[a-z]\w*/#) {
      throw Unmet("no message has named the session of \(name.output): \(json)")
    }
    let size = UInt32(text.utf8.count)
    let header = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
    fixture.send(ContiguousArray(header + Array(text.utf8)), from: client)
    return messages()
  }

  /// The messages that all clients have got since the last call, after all records are durable.
  private func messages() -> [String] {
    for _ in 0..<4 { fixture.sync() }
    return clients.sorted { $0.key < $1.key }.flatMap { number, client in
      fixture.take(client).map { text in
        if let name = awaited, let identifier = newSession(in: text) {
          sessions.append((name, identifier))
          awaited = nil
        }
        let known = sessions.reduce(text) { $0.replacing($1.identifier, with: "$\($1.name)") }
        return "\(number) < \(known)"
      }
    }
  }

  private func newSession(in text: String) -> String? {
    text.matches(of: #/"(?:session|persistentIdentifier)":"([0-9A-F-]{36})"/#).map { String($0.1) }
      .first { identifier in !sessions.contains { $0.identifier == identifier } }
  }

  // MARK: - Comparison

  /// The lines of a recording that differ from those of another broker.
  static func differences(from recorded: String, to played: String) -> [String] {
    let (old, new) = (lines(of: recorded), lines(of: played))
    let pairs = zip(old, new).compactMap { old, new in
      difference(from: old, to: new).map { "\($0)\n  recorded: \(old)\n  now:      \(new)" }
    }
    return old.count == new.count ? pairs : pairs + ["\(old.count) lines became \(new.count)"]
  }

  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
  }

  private static func difference(from old: String, to new: String) -> String? {
    let (oldStep, newStep) = (step(old), step(new))
    guard oldStep.head == newStep.head else { return "another message" }
    guard let oldDocument = oldStep.document, let newDocument = newStep.document else {
      return old == new ? nil : "another step"
    }
    return difference(from: oldDocument.root, to: newDocument.root, at: "")
  }

  private static func step(_ line: String) -> (head: String, document: JSONDocument?) {
    let parts = line.split(separator: " ", maxSplits: 2)
    guard parts.count == 3 else { return (line, nil) }
    return ("\(parts[0]) \(parts[1])", JSONDocument(reading: ContiguousArray(parts[2].utf8)))
  }

  /// The path of a value that a later broker must keep and does not. It may add members, change
  /// texts for people, and change its limits.
  private static func difference(
    from old: JSONValue, to new: JSONValue?, at path: String
  ) -> String? {
    guard let new else { return "\(path) is missing" }
    guard old.kind == new.kind else { return "\(path) has another kind" }
    switch old.kind {
    case .object:
      for (name, value) in old.members {
        let name = name.string ?? ""
        let other = new.members.first { $0.name.string == name }?.value
        if free.contains(name), other?.kind == value.kind { continue }
        if let found = difference(from: value, to: other, at: "\(path).\(name)") { return found }
      }
      return nil
    case .array:
      let (old, new) = (Array(old.elements), Array(new.elements))
      guard old.count <= new.count else { return "\(path) has fewer values" }
      for (place, (old, new)) in zip(old, new).enumerated() {
        if let found = difference(from: old, to: new, at: "\(path)[\(place)]") { return found }
      }
      return nil
    default: return old.isSameValue(as: new) ? nil : "\(path) has another value"
    }
  }

  private static let free: Set = [
    "message", "limits", "instance", "version", "report", "bytes", "methods", "callbacks",
    "notifications",
  ]
}
