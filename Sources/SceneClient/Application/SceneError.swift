import SceneModel

/// Why something that was asked for did not come about.
///
/// Most are the broker's answers, under their names of the protocol; some are the library's own.
/// Losing the broker is none: what can wait for it does.
public struct SceneError: Error, Hashable, Sendable {
  /// The stable name of an error. There may be names that this version does not know.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// As it is called on the wire.
    public let rawValue: String

    /// The error of this name, whether this version knows it or not.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// Whether asking again can help.
  public enum Retry: String, Hashable, Sendable {
    /// It will be refused again.
    case never
    /// After something has changed, so with a pause.
    case later
    /// At once: the request was only overtaken.
    case now
  }

  /// Which error it is.
  public var code: Code
  /// A sentence for people: what is wrong, and where one can be given, what to do.
  public var message: String
  /// Whether asking again can help.
  public var retry: Retry

  /// Makes one, for a program's own tests.
  public init(_ code: Code, _ message: String, retry: Retry = .never) {
    self.code = code
    self.message = message
    self.retry = retry
  }
}

extension SceneError {
  /// What answered a request is the answer to another one.
  static var unexpectedReply: SceneError {
    SceneError(
      .invalidRequest, "invalid reply from the broker: the reply belongs to another request")
  }
}

extension SceneError {
  /// This program has delegate classes of these names, and none for the configuration.
  static func noDelegateClass(
    for configuration: SceneModel.SceneConfiguration, among names: [String]
  ) -> SceneError {
    let known = names.isEmpty ? "none" : names.joined(separator: ", ")
    guard let missing = configuration.delegateClass else {
      return SceneError(
        .noDelegateClass,
        "no delegate class for configuration \(configuration.name): the manifest names none, and "
          + "this program has \(known); name one in the manifest")
    }
    return SceneError(
      .noDelegateClass,
      "no delegate class \(missing) for configuration \(configuration.name): this program has "
        + "\(known); add the class, or change the manifest")
  }
}

extension SceneError: CustomStringConvertible {
  public var description: String { "\(code): \(message)" }
}

extension SceneError.Code: CustomStringConvertible {
  public var description: String { rawValue }
}

extension SceneError.Code {
  /// Nobody listens where the broker should.
  public static let brokerUnavailable = Self(rawValue: "brokerUnavailable")
  /// What listens there is the broker of another application.
  public static let wrongApplication = Self(rawValue: "wrongApplication")
  /// The broker went while it was asked for something that must not be asked twice.
  public static let connectionLost = Self(rawValue: "connectionLost")
  /// The manifest names a delegate class for the scene that this program does not have; the message
  /// lists the classes that it has.
  public static let noDelegateClass = Self(rawValue: "noDelegateClass")
  /// This application has ended, or is about to.
  public static let applicationStopped = Self(rawValue: "applicationStopped")

  /// What was sent is no JSON: a fault on one side or the other.
  public static let parseError = Self(rawValue: "parseError")
  /// What was said is no message, or no answer to what was asked.
  public static let invalidRequest = Self(rawValue: "invalidRequest")
  /// The broker is older than the request.
  public static let methodNotFound = Self(rawValue: "methodNotFound")
  /// Something that was passed cannot be; the message names it.
  public static let invalidParams = Self(rawValue: "invalidParams")
  /// The manifest allows one session, and there is one.
  public static let multipleScenesNotSupported = Self(rawValue: "multipleScenesNotSupported")
  /// It was asked, and nobody would: no client would have the scene, or no call is running that
  /// more time could be given to.
  public static let requestDenied = Self(rawValue: "requestDenied")
  /// The broker and this library have no version of the protocol in common.
  public static let unsupportedProtocol = Self(rawValue: "unsupportedProtocol")
  /// The broker is not this user's, or the request not for a client that makes scenes.
  public static let notPermitted = Self(rawValue: "notPermitted")
  /// There is no session of this identifier, or no longer.
  public static let sessionNotFound = Self(rawValue: "sessionNotFound")
  /// Another client has the scene of this session.
  public static let sessionInUse = Self(rawValue: "sessionInUse")
  /// This client does not have the scene of this session, or no longer.
  public static let sessionNotHeld = Self(rawValue: "sessionNotHeld")
  /// Another session has this name.
  public static let nameInUse = Self(rawValue: "nameInUse")
  /// No client is there that could make the scene.
  public static let noHost = Self(rawValue: "noHost")
  /// No process that was started for the session has made its scene.
  public static let launchFailed = Self(rawValue: "launchFailed")
  /// The manifest has no configuration for the role.
  public static let noConfiguration = Self(rawValue: "noConfiguration")
  /// The session, or the configuration, is of another role.
  public static let wrongRole = Self(rawValue: "wrongRole")
  /// Another process is the application's delegate.
  public static let delegateInUse = Self(rawValue: "delegateInUse")
  /// Something that was passed has more bytes than may be kept; the message says how many may.
  public static let tooLarge = Self(rawValue: "tooLarge")
  /// There are as many of something as there may be: sessions, scenes, requests that wait, or changes
  /// that a slow disk has not taken yet.
  public static let tooMany = Self(rawValue: "tooMany")
  /// The disk has no room, or all sessions together have as much as they may. What was kept before is
  /// untouched.
  public static let storageFull = Self(rawValue: "storageFull")
  /// An activation condition cannot be understood; the message says at which character.
  public static let invalidPredicate = Self(rawValue: "invalidPredicate")
  /// The application is ending.
  public static let shuttingDown = Self(rawValue: "shuttingDown")
}
