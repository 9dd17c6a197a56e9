import CommandLine
import JSON
import SceneModel

/// What a scene in a shell is told to do.
enum ShellCommand: Equatable, Sendable {
  /// Nil clears.
  case activity(Activity?)
  /// Nil takes it away.
  case title(String?)
  /// What it adds to its title; nil takes it away.
  case subtitle(String?)
  /// What the switcher shows of it; nil takes it away.
  case snapshot(String?)
  /// What the scene is activated for; nil takes it back to the standard.
  case conditions(ActivationConditionTexts?)
  /// Where the session keeps files.
  case data
  case post(EventPost)
  case observe(String)
  case cease(String)
  case background
  case activate
  case close
  case discard
  /// No answer to this callback any more; with nil, to none.
  case hang(CallbackKind?)
  case crash
  case status
  /// Of all commands, or of one.
  case help(Verb?)

  var verb: Verb {
    switch self {
    case .activity: .activity
    case .title: .title
    case .subtitle: .subtitle
    case .snapshot: .snapshot
    case .data: .data
    case .conditions: .conditions
    case .post: .post
    case .observe: .observe
    case .cease: .cease
    case .background: .background
    case .activate: .activate
    case .close: .close
    case .discard: .discard
    case .hang: .hang
    case .crash: .crash
    case .status: .status
    case .help: .help
    }
  }

  enum Verb: String, CaseIterable, Sendable {
    case activity, title, subtitle, snapshot, conditions, post, observe, cease, data, background,
      activate, close, discard, hang, crash, status, help
    /// Not for typing: what the program does first.
    case connect

    static let typed = allCases.filter { $0 != .connect }
  }
}

/// A command, and how whoever gave it wants to find its reply.
struct GivenCommand: Equatable, Sendable {
  var command: ShellCommand
  /// Comes back with the reply, as it is.
  var identifier: RawJSON?
}

/// A line that is no command; says why.
struct CommandError: Error, Equatable, Sendable {
  var message: String
  var identifier: RawJSON?
}

extension ShellCommand {
  /// Reads a line as a person types it; nil for an empty one.
  static func read(line: String) throws(CommandError) -> ShellCommand? {
    let (word, rest) = line.firstWord
    guard !word.isEmpty else { return nil }
    if word.asksForHelp { return .help(nil) }
    let verb = try verb(word)
    if rest.asksForHelp, rest != "?" { return .help(verb) }
    switch verb {
    case .activity: return .activity(try typedActivity(rest))
    case .title: return .title(try shown(rest, for: verb))
    case .subtitle: return .subtitle(try shown(rest, for: verb))
    case .snapshot: return .snapshot(try shown(rest, for: verb))
    case .conditions: return .conditions(try typedConditions(rest))
    case .post: return .post(try typedEvent(rest))
    case .observe: return .observe(try topic(rest, for: verb))
    case .cease: return .cease(try topic(rest, for: verb))
    case .hang: return .hang(try rest.isEmpty ? nil : callback(rest))
    case .help: return .help(try rest.isEmpty ? nil : Self.verb(rest))
    case .data, .background, .activate, .close, .discard, .crash, .status, .connect:
      guard rest.isEmpty else { throw CommandError(message: "\(word) takes nothing behind it") }
      return plain(verb)
    }
  }

  static func verb(_ word: String) throws(CommandError) -> Verb {
    guard let verb = Verb(rawValue: word), verb != .connect else {
      let names = Verb.typed.map(\.rawValue)
      let advice = adviceOnHabit(word) ?? suggestion(for: word, among: names)
      throw CommandError(
        message: "there is no command \(word.printable)"
          + (advice.isEmpty ? "; help lists them" : advice))
    }
    return verb
  }

  /// What is called so elsewhere.
  private static func adviceOnHabit(_ word: String) -> String? {
    switch word {
    case "save": "; the scene saves what it is at: \(activityUsage)"
    case "quit", "exit", "bye", "logout", "q":
      "; close ends the scene, and discard its session too"
    default: nil
    }
  }

  static func plain(_ verb: Verb) -> ShellCommand {
    switch verb {
    case .data: .data
    case .background: .background
    case .activate: .activate
    case .close: .close
    case .discard: .discard
    case .crash: .crash
    case .status: .status
    case .activity, .title, .subtitle, .snapshot, .conditions, .post, .observe, .cease, .hang,
      .help,
      .connect:
      .help(nil)
    }
  }

  /// What others are to see of the scene; `null` takes it away.
  private static func shown(_ text: String, for verb: Verb) throws(CommandError) -> String? {
    guard !text.isEmpty else {
      let name = verb.rawValue
      throw CommandError(message: "usage: \(name) TEXT, or \(name) null to take it away")
    }
    return text == "null" ? nil : text
  }

  /// `TYPE JSON`, `TYPE`, or `null`.
  private static func typedActivity(_ text: String) throws(CommandError) -> Activity? {
    guard !text.isEmpty else {
      throw CommandError(message: "usage: \(activityUsage), or activity null to clear")
    }
    do throws(MemberError) {
      return try TypedActivity(text).activity
    } catch {
      throw CommandError(message: "\(error.description.printable); usage: \(activityUsage)")
    }
  }

  /// `prefers PREDICATE`, `can PREDICATE`, or `null`.
  private static func typedConditions(
    _ text: String
  ) throws(CommandError) -> ActivationConditionTexts? {
    if text == "null" { return nil }
    let (word, predicate) = text.firstWord
    let said = Presence.value(predicate)
    switch word {
    case "prefers" where !predicate.isEmpty:
      return ActivationConditionTexts(prefersToActivate: predicate == "null" ? .null : said)
    case "can" where !predicate.isEmpty:
      return ActivationConditionTexts(canActivate: predicate == "null" ? .null : said)
    default:
      throw CommandError(
        message:
          "usage: conditions prefers PREDICATE, conditions can PREDICATE, or conditions null, "
          + #"as in: conditions prefers self BEGINSWITH "note/""#)
    }
  }

  private static let activityUsage =
    #"activity TYPE JSON, as in: activity com.example.note {"line": 42}"#

  static func callback(_ name: String) throws(CommandError) -> CallbackKind {
    guard let kind = CallbackKind(rawValue: name) else {
      let names = CallbackKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandError(
        message: "there is no callback \(name.printable); there are \(names)")
    }
    return kind
  }
}

extension String {
  fileprivate var asksForHelp: Bool { ["--help", "-h", "?"].contains(self) }

  /// The first word, and what follows it without the blanks around it.
  var firstWord: (String, String) {
    let trimmed = self.trimmed
    guard let end = trimmed.firstIndex(where: \.isWhitespace) else { return (trimmed, "") }
    return (String(trimmed[..<end]), String(trimmed[end...]).trimmed)
  }

  private var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// With every scalar escaped that a terminal obeys instead of showing it.
  var printable: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x0A, 0x0D, 0x09: text.unicodeScalars.append(" ")
      case _ where PlainText.isUnsafe(scalar): text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
