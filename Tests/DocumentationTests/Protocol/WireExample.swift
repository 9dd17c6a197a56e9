import SceneTestSupport

/// An example on a page: the messages with their senders, and the events between them.
struct WireExample {
  enum Step: Equatable {
    /// A client sends a frame.
    case says(client: String, String)
    /// A client receives a frame.
    case hears(client: String, String)
    case happens(Incident)
  }

  /// An event in parentheses.
  enum Incident: String, CaseIterable {
    case clientDies = "(the client is killed with -9; another one connects)"
    case brokerDies = "(the broker is killed with -9 and started again; the client connects)"
    case closes = "(the broker closes the connection)"
  }

  let steps: [Step]

  /// Nil if the block is not an example.
  init?(_ block: Page.Block) throws {
    guard block.lines.contains(where: { Self.step($0) != nil }) else { return nil }
    var steps: [Step] = []
    for line in block.lines {
      if let step = Self.step(line) {
        steps.append(step)
      } else if line.hasPrefix(" "), let last = steps.popLast() {
        steps.append(last.continued(by: line.trimmingPrefix(while: { $0 == " " })))
      } else {
        throw Unmet("unknown line in an example: \(line)")
      }
    }
    self.steps = steps
  }

  /// Whether the example continues the previous one: it has no `initialize`.
  var goesOn: Bool {
    guard case .says("", let text) = steps.first else { return true }
    return !text.contains(#""method":"initialize""#)
  }

  private static func step(_ line: String) -> Step? {
    if let happening = Incident(rawValue: line) { return .happens(happening) }
    let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2 else { return nil }
    if let step = message(String(words[0]), String(words[1]), of: "") { return step }
    let rest = words[1].split(separator: " ", maxSplits: 1)
    guard rest.count == 2, words[0].allSatisfy(\.isLetter) else { return nil }
    return message(String(rest[0]), String(rest[1]), of: String(words[0]))
  }

  private static func message(_ arrow: String, _ text: String, of client: String) -> Step? {
    guard text.hasPrefix("{") else { return nil }
    switch arrow {
    case "→": return .says(client: client, text)
    case "←": return .hears(client: client, text)
    default: return nil
    }
  }
}

extension WireExample.Step {
  /// Appends an indented line to the line above.
  fileprivate func continued(by text: some StringProtocol) -> Self {
    switch self {
    case .says(let client, let begun): .says(client: client, begun + text)
    case .hears(let client, let begun): .hears(client: client, begun + text)
    case .happens: self
    }
  }
}
