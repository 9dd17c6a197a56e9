import SceneCommandLine
import SceneModel
import ScenePlatform

/// A property of a session, as a column of a list and as a part of `--format`.
enum SessionColumn: String, CaseIterable {
  case name, state, title, last, client, directory, command
  case session, role, configuration, generation, pid

  /// The columns of a list without `--columns`. Two of them are for stored commands.
  static func standard(hasPrograms: Bool) -> [SessionColumn] {
    let columns: [SessionColumn] = [.name, .state, .title, .last, .client]
    return hasPrograms ? columns + [.directory, .command] : columns
  }

  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  var column: Table.Column {
    let heading = rawValue.uppercased()
    return switch self {
    case .name: Table.Column(heading: heading, least: 24)
    case .state: Table.Column(heading: heading, least: 16)
    case .last: Table.Column(heading: heading, omission: 1)
    case .client: Table.Column(heading: heading, least: 12, omission: 2)
    case .directory: Table.Column(heading: heading, least: 24, omission: 4, keepsEnd: true)
    case .title: Table.Column(heading: heading, omission: 3)
    case .command: Table.Column(heading: heading, least: 16)
    case .session: Table.Column(heading: heading, least: 36)
    case .role, .configuration, .generation, .pid: Table.Column(heading: heading)
    }
  }

  /// The value, as a person reads it. Nil if the session has none.
  func text(of session: SessionSummary, at now: Int64) -> String? {
    switch self {
    case .directory: session.program.map { Self.short($0.directory) }
    case .command: session.program?.shortLine
    case .last: Age.text(from: session.lastUsed, to: now)
    case .state where session.state != session.target:
      "\(session.state.rawValue) → \(session.target.rawValue)"
    case .state: session.shownState(at: now)
    case .client: session.client.map { $0.label + ($0.terminal?.words(at: now) ?? "") }
    default: value(of: session)
    }
  }

  /// The whole value, for a script. Nil if the session has none.
  func value(of session: SessionSummary) -> String? {
    switch self {
    case .name: session.name ?? session.session.short
    case .state: session.state.rawValue
    case .title: session.title
    case .last: "\(session.lastUsed)"
    case .client: session.client?.label
    case .directory: session.program?.directory
    case .command: session.program?.line
    case .session: "\(session.session)"
    case .role: session.role.rawValue
    case .configuration: session.configuration
    case .generation: "\(session.generation)"
    case .pid: session.client.map { "\($0.shownPID)" }
    }
  }

  /// With `~` for the home directory.
  static func short(_ path: String) -> String {
    guard let home = User.home, home != "/", path == home || path.hasPrefix(home + "/") else {
      return path
    }
    return "~" + path.dropFirst(home.count)
  }
}

extension SessionSummary {
  /// The state of the session, for people.
  func shownState(at now: Int64) -> String {
    specialState(at: now) ?? state.rawValue
  }

  /// The state of a session that no request can connect, that the broker restarts, or whose client
  /// does not answer.
  func specialState(at now: Int64) -> String? {
    away?.words ?? restart?.words(at: now)
      ?? (client?.isUnresponsive == true ? "not responding" : nil)
  }
}

extension SessionRestart {
  fileprivate func words(at now: Int64) -> String {
    guard let next else { return count == 1 ? "crashed once" : "crashed \(count) times" }
    return next > now ? "restarts in \(Age.text(from: now, to: next + 999))" : "restarts"
  }
}

extension KeptTerminal {
  /// Since when no window shows the terminal, for people; empty if one does.
  func words(at now: Int64) -> String {
    guard attached == 0, detached != nil else { return "" }
    return ", detached" + (since.map { " \(Age.text(from: $0, to: now)) ago" } ?? "")
  }
}

extension SessionAway {
  /// The state of the session, for people.
  var words: String {
    isArriving ? "arriving (\(to))" : isConfirmed ? "away (\(to))" : "away (\(to), unconfirmed)"
  }
}

/// A text with columns in braces, such as `{name}: {title}`. `\t` and `\n` stand for a tab and a
/// line break, and `{{` and `}}` for a brace.
struct SessionFormat {
  private enum Part {
    case text(String)
    case column(SessionColumn)
  }

  private var parts: [Part] = []

  /// `unknown` makes the error about a word after a brace that names no column.
  init(_ text: String, unknown: (String) -> any Error) throws {
    let text = text.replacing("\\t", with: "\t").replacing("\\n", with: "\n")
    var rest = text[...]
    while let brace = rest.firstIndex(where: { "{}".contains($0) }) {
      parts.append(.text(String(rest[..<brace])))
      let after = rest.index(after: brace)
      if after < rest.endIndex, rest[after] == rest[brace] {
        parts.append(.text(String(rest[brace])))
        rest = rest[rest.index(after: after)...]
      } else if rest[brace] == "{" {
        let close = rest[after...].firstIndex(of: "}")
        let word = String(rest[after..<(close ?? rest.endIndex)])
        guard let close, let column = SessionColumn(rawValue: word) else {
          throw unknown(close == nil ? "{" + word : word)
        }
        parts.append(.column(column))
        rest = rest[rest.index(after: close)...]
      } else {
        parts.append(.text(String(rest[brace])))
        rest = rest[after...]
      }
    }
    parts.append(.text(String(rest)))
  }

  /// The line of a session. A value that is missing leaves nothing.
  func line(of session: SessionSummary) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .column(let column): PlainText.escaped(column.value(of: session) ?? "")
      }
    }.joined()
  }
}
