import Foundation
import SceneCommandLine
import SceneControlTestSupport
import SceneJSON
import SceneModel
import SceneWire
import Testing

@testable import SceneCommands
@testable import SceneControl

@Suite("Exit codes")
struct ExitCodeTests {
  @Test(
    "every error of a broker has one",
    arguments: [
      (.parseError, 65), (.invalidRequest, 65), (.methodNotFound, 65), (.invalidParams, 65),
      (.multipleScenesNotSupported, 1), (.requestDenied, 1), (.notInitialized, 70),
      (.alreadyInitialized, 70), (.unsupportedProtocol, 69), (.notPermitted, 77),
      (.sessionNotFound, 66), (.sessionInUse, 75), (.sessionNotHeld, 1), (.nameInUse, 1),
      (.noHost, 75), (.noConfiguration, 78), (.wrongRole, 1), (.delegateInUse, 1),
      (.tooLarge, 65), (.tooMany, 75), (.storageFull, 75), (.shuttingDown, 75),
      (.launchFailed, 75), (.invalidPredicate, 65),
    ] as [(ErrorReason, Int32)])
  func codes(reason: ErrorReason, code: Int32) {
    #expect(ExitCode(for: refusal(reason.name, reason.retry)).rawValue == code)
  }

  @Test("no error of the protocol was forgotten")
  func complete() {
    let unknown = ErrorReason.all.filter { reason in
      ExitCode(for: refusal(reason.name, .never)) == .failure
        && ExitCode(for: refusal(reason.name, .later)) != .tryAgain
    }
    #expect(unknown.isEmpty)
    #expect(ErrorReason.all.count == 24)
  }

  @Test("a no that may be a yes later is to be tried again")
  func retry() {
    #expect(ExitCode(for: refusal("sessionInUse", .later)) == .tryAgain)
    #expect(ExitCode(for: refusal("sessionNotHeld", .now)) == .tryAgain)
    #expect(ExitCode(for: refusal("invalidParams", .now)) == .badData)
  }

  @Test("an error of a newer broker goes by whether trying again can help")
  func unknown() {
    #expect(ExitCode(for: refusal("brandNew", .never)) == .failure)
    #expect(ExitCode(for: refusal("brandNew", .later)) == .tryAgain)
  }

  @Test(
    "what a refusal is about is said once",
    arguments: [
      ("packing is unattached", "packing is unattached"),
      ("packing's scene went", "packing's scene went"),
      ("packings are many", "packing: packings are many"), ("no", "packing: no"),
    ])
  func subject(message: String, shown: String) {
    let failure = ProgramError(refusal("sessionNotHeld", .never, message), about: "packing")
    #expect(failure.message == shown)
  }

  private func refusal(_ reason: String, _ retry: Retry, _ message: String = "") -> RemoteError {
    RemoteError(code: 1, reason: reason, message: message, retry: retry, json: .emptyObject)
  }
}

@Suite("The command table")
struct CommandTableTests {
  @Test("has no flaws, and every example parses")
  func flaws() {
    #expect(Scenectl.command(of: Verb.all).flaws() == [])
  }

  @Test("a verb has the name of its declaration, and an example", arguments: Verb.all)
  func names(verb: Verb) {
    let command = verb.command
    #expect(command.name == verb.name)
    #expect(!command.examples.isEmpty || command.verbs.allSatisfy { !$0.examples.isEmpty })
  }

  @Test("the list has each verb once, and every verb of the sources is in the list")
  func list() throws {
    #expect(Set(Verb.all.map(\.name)).count == Verb.all.count)
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/SceneCommands")
    let files = FileManager.default.enumerator(atPath: sources.path())?.compactMap { $0 as? String }
    var declared: [String] = []
    for file in files ?? [] where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      declared += text.matches(of: /= Verb\(\s*"([\w-]+)"/).map { String($0.1) }
    }
    #expect(declared.sorted() == Verb.all.map(\.name).sorted())
  }

  @Test(
    "a table of a few verbs understands the same as the whole one",
    arguments: [
      [], ["--help"], ["status"], ["-a", "wait", "show"], ["--version"], ["shw"],
      ["show", "--help"],
      ["kill", "show", "save"], ["--help", "show"], ["background"], ["--nonsense", "show"],
    ])
  func reduced(words: [String]) {
    let whole = Result { try Scenectl.command(of: Verb.all).parse(words) }
    let reduced = Result { try Scenectl.parse(words) }
    #expect(shown(whole) == shown(reduced))
  }

  private func shown(_ result: Result<CommandRequest, any Error>) -> String {
    switch result {
    case .success(.run(let invocation)):
      "\(invocation.name) \(invocation.value("application") ?? "")"
    case .success(.print(let text)): text
    case .failure(let error): "\(error)"
    }
  }
}
