import SceneCommandLine
import SceneControl
import SceneControlTestSupport
import SceneModel
import Testing

@testable import SceneCommands

@Suite("Verbs of the trash")
struct TrashVerbTests {
  private static let now: Int64 = 1_700_000_000_000

  /// The sessions in the trash, which leave it after this many minutes.
  private func trash(_ number: Int, _ sessions: [(number: Int, name: String?, minutes: Int64)])
    -> String
  {
    let summaries = sessions.map { session in
      var summary = summary(session.number, name: session.name, title: "a title")
      summary.until = Self.now + session.minutes * 60_000
      return summary
    }
    return result(number, text(of: SessionList.Reply(sessions: summaries)))
  }

  private func status(_ number: Int) -> String {
    var status = ApplicationStatus.Reply()
    status.now = Self.now
    return result(number, text(of: status))
  }

  @Test("the list has the names and the time that is left")
  func list() throws {
    let sessions = trash(1, [(1, "packing", 1439), (2, nil, 119)])
    let outcome = try Outcome.of(["trash"], [sessions, status(2)])
    #expect(outcome.code == .success)
    let lines = outcome.output.split(separator: "\n").map {
      $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    }
    #expect(lines.map(\.first) == ["NAME", "packing", "-"])
    let times = lines.map { Array($0.dropFirst(2).prefix(2)) }
    #expect(times == [["IN", "TITLE"], ["24", "h"], ["119", "min"]])
    #expect(outcome.requests.first == #"session/list {"discarded":true,"limit":200}"#)
    let soon = try Outcome.of(["trash"], [trash(1, [(1, "packing", 1)]), status(2)])
    #expect(soon.output.contains("60 s"), "\(soon)")
    let names = try Outcome.of(["trash", "--names"], [sessions])
    #expect(names.output == "packing\n\(identifier(2).short)\n")
    let none = try Outcome.of(["trash"], [trash(1, []), status(2)], isScreen: true)
    #expect(none.code == .success)
    #expect(none.output == "")
    #expect(none.errors == "scenectl: the trash is empty\n")
  }

  @Test("--empty ends the sessions in requests of 200, and fails with the broker")
  func empty() throws {
    let sessions = trash(1, (1...201).map { ($0, "n\($0)", 5) })
    let outcome = try Outcome.of(["trash", "--empty"], [sessions, result(2), result(3)])
    #expect(outcome.code == .success)
    #expect(
      outcome.requests.last
        == "application/requestSceneSessionDestruction "
        + #"{"sessions":["\#(identifier(201))"],"now":true}"#)
    let refused = try Outcome.of(
      ["trash", "--empty"], [trash(1, [(1, "packing", 5)]), refusal(2, .storageFull)])
    #expect(refused.code != .success)
    #expect(refused.errors.contains("no: storageFull"), "\(refused)")
  }

  @Test("undiscard takes the newest session of a name, and prints its new name")
  func undiscard() throws {
    let sessions = trash(1, [(2, "packing", 9), (1, "packing", 5)])
    let outcome = try Outcome.of(
      ["undiscard", "packing", "--name", "boxes"],
      [sessions, result(2, #"{"session":"\#(identifier(2))","name":"boxes"}"#)])
    #expect(outcome.code == .success)
    #expect(
      outcome.requests.last
        == #"session/undiscard {"session":"\#(identifier(2))","name":"boxes"}"#)
    #expect(outcome.output == "boxes: undiscarded\n")
  }

  @Test(
    "undiscard fails without such a session, with a taken name, and with an ambiguous prefix",
    arguments: [
      (
        "other", nil, ExitCode.noSession,
        "no session in the trash is called other\nList the trash"
      ),
      ("packing", ErrorReason.nameInUse, .failure, "no: nameInUse"),
      ("packing", .storageFull, nil, "no: storageFull"),
      ("aaaabbbb", nil, .usage, "aaaabbbb"),
    ] as [(String, ErrorReason?, ExitCode?, String)])
  func failures(word: String, reason: ErrorReason?, code: ExitCode?, message: String) throws {
    let sessions = trash(1, [(1, "packing", 5), (2, "boxes", 5)])
    let outcome = try Outcome.of(
      ["undiscard", word], [sessions] + (reason.map { [refusal(2, $0)] } ?? []))
    #expect(outcome.code != .success)
    if let code { #expect(outcome.code == code) }
    #expect(outcome.errors.contains(message), "\(outcome)")
    #expect(outcome.output == "")
  }

  @Test("discard prints the way back, and --now ends a session in the trash")
  func discard() throws {
    let packing = details(summary(1, name: "packing"))
    let outcome = try Outcome.of(
      ["discard", "packing"],
      [
        result(1, resolved(packing)), result(2, #"{"until":\#(Self.now + 86_400_000)}"#),
        status(3),
      ])
    #expect(
      outcome.output
        == "packing: discarded; to undo within 24 h: scenectl undiscard packing\n")
    let ended = try Outcome.of(
      ["discard", "--now", "packing"],
      [
        refusal(1, .sessionNotFound), trash(2, [(1, "packing", 5)]),
        trash(3, [(1, "packing", 5)]), result(4),
      ])
    #expect(ended.code == .success)
    #expect(
      ended.requests.last
        == "application/requestSceneSessionDestruction "
        + #"{"sessions":["\#(identifier(1))"],"now":true}"#)
    #expect(ended.output + ended.errors == "")
  }

  @Test("--state needs --offline", arguments: [["trash"], ["undiscard", "a"], ["discard", "a"]])
  func state(words: [String]) throws {
    let outcome = try Outcome.of(words + ["--state", "/tmp"])
    #expect(outcome.code == .usage)
    #expect(outcome.errors.contains("--state requires --offline"), "\(outcome)")
    #expect(outcome.requests.isEmpty)
  }
}
