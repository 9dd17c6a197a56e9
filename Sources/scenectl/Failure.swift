import CommandLine
import JSON
import SceneControl
import SceneModel
import SceneWire

/// Why a verb did not do what it was asked for: the exit code, and what a person is told.
struct Failure: Error, Equatable {
  var code: ExitCode
  /// What happened and what to do about it; lines are broken where it is to be broken.
  var message: String
  /// The error as the broker put it, where it was the broker's.
  var json: RawJSON?

  init(_ code: ExitCode, _ message: String, json: RawJSON? = nil) {
    self.code = code
    self.message = message
    self.json = json
  }
}

extension Failure {
  /// A broker's no, about what.
  init(_ refusal: Refusal, about subject: String? = nil) {
    let message = PlainText.escaped(refusal.message)
    // Most messages about a session begin with what it is called.
    let names = subject.map { message.hasPrefix("\($0) ") || message.hasPrefix("\($0)'s ") } ?? true
    self.init(
      ExitCode(for: refusal), names ? message : "\(subject ?? ""): \(message)",
      json: refusal.json)
    if let advice = Self.advice(on: refusal) { self.message += "\n" + advice }
  }

  private static func advice(on refusal: Refusal) -> String? {
    if refusal.is(.noHost) {
      return "Only a client that waits is given a scene. Be it yourself with: scene NAME"
    } else if refusal.is(.methodNotFound) {
      return "See what there is with: scenectl call broker/describe"
    } else if refusal.is(.sessionNotFound) {
      return "See what there is with: scenectl sessions"
    } else {
      return nil
    }
  }

  static func noSession(_ word: String) -> Failure {
    Failure(
      .noSession,
      "no session is called \(PlainText.word(word))\nSee what there is with: scenectl sessions")
  }
}

extension ExitCode {
  /// What a broker's error comes to. An error of a newer broker goes by whether trying again can
  /// help.
  init(for refusal: Refusal) {
    if let code = Self.codes.first(where: { refusal.is($0.reason) })?.code {
      self = code
    } else {
      self = refusal.retry == .never ? .no : .tryAgain
    }
    if self == .no, refusal.retry != .never { self = .tryAgain }
  }

  private static var codes: [(reason: ErrorReason, code: ExitCode)] {
    [
      (.parseError, .badData), (.invalidRequest, .badData), (.methodNotFound, .badData),
      (.invalidParams, .badData), (.tooLarge, .badData), (.invalidPredicate, .badData),
      (.multipleScenesNotSupported, .no), (.requestDenied, .no), (.sessionInUse, .no),
      (.sessionNotHeld, .no), (.nameInUse, .no), (.wrongRole, .no), (.delegateInUse, .no),
      (.noConfiguration, .badConfiguration), (.notPermitted, .notAllowed),
      (.sessionNotFound, .noSession), (.notInitialized, .fault), (.alreadyInitialized, .fault),
      (.unsupportedProtocol, .noBroker), (.noHost, .tryAgain), (.tooMany, .tryAgain),
      (.storageFull, .tryAgain), (.shuttingDown, .tryAgain), (.launchFailed, .tryAgain),
    ]
  }
}
