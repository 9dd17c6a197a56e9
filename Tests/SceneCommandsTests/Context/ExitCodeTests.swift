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
  private static let statuses: [(ErrorReason, Int32)] = [
    (.parseError, 65), (.invalidRequest, 65), (.methodNotFound, 65), (.invalidParams, 65),
    (.multipleScenesNotSupported, 1), (.requestDenied, 1), (.notInitialized, 70),
    (.alreadyInitialized, 70), (.unsupportedProtocol, 69), (.notPermitted, 77),
    (.sessionNotFound, 66), (.sessionInUse, 75), (.sessionNotHeld, 1), (.nameInUse, 1),
    (.noHost, 75), (.noConfiguration, 78), (.wrongRole, 1), (.delegateInUse, 1),
    (.tooLarge, 65), (.tooMany, 75), (.storageFull, 75), (.shuttingDown, 75),
    (.launchFailed, 75), (.invalidPredicate, 65), (.staleFence, 1), (.sessionAway, 1),
    (.unresponsive, 75),
  ]

  @Test("each error of the protocol has its exit code", arguments: statuses)
  func codes(reason: ErrorReason, code: Int32) {
    #expect(ExitCode(for: refusal(reason.name, reason.retry)).rawValue == code)
  }

  @Test("the table of exit statuses has every error of the protocol")
  func complete() { #expect(Self.statuses.map(\.0) == ErrorReason.all) }

  @Test("a reason that can change soon, or an unknown one, goes by whether a retry can help")
  func retry() {
    #expect(ExitCode(for: refusal("sessionInUse", .later)) == .tryAgain)
    #expect(ExitCode(for: refusal("sessionNotHeld", .now)) == .tryAgain)
    #expect(ExitCode(for: refusal("invalidParams", .now)) == .badData)
    #expect(ExitCode(for: refusal("brandNew", .never)) == .failure)
    #expect(ExitCode(for: refusal("brandNew", .later)) == .tryAgain)
  }

  @Test(
    "the message names its session once",
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
