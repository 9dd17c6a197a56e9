import SceneCommandLine
import SceneJSON
import SceneModel

/// A command to a scene.
enum ShellCommand: Equatable, Sendable {
  /// Saves an activity; nil clears it.
  case activity(Activity?)
  /// Sets the title; nil removes it.
  case title(String?)
  /// Sets the subtitle; nil removes it.
  case subtitle(String?)
  /// Sets the snapshot for the switcher; nil removes it.
  case snapshot(String?)
  /// Sets the activation conditions; nil restores the default.
  case conditions(ActivationConditionTexts?)
  /// Asks for the session's data directory.
  case data
  case post(EventPost)
  case observe(String)
  case cease(String)
  case background
  case activate
  case close
  case discard
  /// Leaves this callback unanswered; nil means all callbacks.
  case hang(CallbackKind?)
  case crash
  case status
  /// Help for all commands, or for one.
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
    /// The connection at the start; not a typed command.
    case connect

    static let typed = allCases.filter { $0 != .connect }
  }
}

/// A command with the identifier of its reply.
struct GivenCommand: Equatable, Sendable {
  var command: ShellCommand
  /// The reply repeats this value.
  var identifier: RawJSON?
}

/// A syntax error of a command line.
struct CommandError: Error, Equatable, Sendable {
  var message: String
  var identifier: RawJSON?
}

extension ShellCommand {
  /// Parses a typed line; nil for an empty line.
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
      guard rest.isEmpty else { throw CommandError(message: "\(word) takes no argument") }
      return plain(verb)
    }
  }

  static func verb(_ word: String) throws(CommandError) -> Verb {
    guard let verb = Verb(rawValue: word), verb != .connect else {
      let names = Verb.typed.map(\.rawValue)
      let advice = adviceOnHabit(word) ?? suggestion(for: word, among: names)
      throw CommandError(
        message: "there is no command \(word.printable)"
          + (advice.isEmpty ? "; type help for a list" : advice))
    }
    return verb
  }

  /// The verb for a word of other tools.
  private static func adviceOnHabit(_ word: String) -> String? {
    switch word {
    case "save": "; to save, type: \(activityUsage)"
    case "quit", "exit", "bye", "logout", "q":
      "; close ends the scene, and discard ends its session"
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

  /// Parses a shown text; `null` removes it.
  private static func shown(_ text: String, for verb: Verb) throws(CommandError) -> String? {
    guard !text.isEmpty else {
      let name = verb.rawValue
      throw CommandError(message: "usage: \(name) TEXT, or \(name) null to remove it")
    }
    return text == "null" ? nil : text
  }

  /// Parses `TYPE JSON`, `TYPE` or `null`.
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

  /// Parses `prefers PREDICATE`, `can PREDICATE` or `null`.
  private static func typedConditions(
    _ text: String
  ) throws(CommandError) -> ActivationConditionTexts? {
    if text == "null" { return nil }
    let (word, predicate) = text.firstWord
    let said = Patch.value(predicate)
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
    guard let kind = CallbackKind.ofScenes.first(where: { $0.rawValue == name }) else {
      let names = CallbackKind.ofScenes.map(\.rawValue).joined(separator: ", ")
      throw CommandError(
        message: "unknown callback \(name.printable); the callbacks are \(names)")
    }
    return kind
  }
}

extension String {
  fileprivate var asksForHelp: Bool { ["--help", "-h", "?"].contains(self) }

  /// The first word, and the trimmed rest.
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

  /// The text with escaped control characters.
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
