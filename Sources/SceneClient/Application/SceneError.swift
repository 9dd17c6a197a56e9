import SceneModel

/// The reason why a request failed. Corresponds to `UISceneError`.
///
/// Most errors are replies of the broker, with their names in the protocol; some come from the
/// library. The loss of the broker is no error: requests wait for the next broker if they can.
///
/// The common errors, which every request can throw:
///
/// - ``SceneError/Code/cancelled`` if the task is cancelled before the reply
/// - ``SceneError/Code/timedOut`` if the time of ``SceneApplication/withTimeout(_:_:)`` has passed
/// - ``SceneError/Code/applicationStopped`` after ``SceneApplication/stop()``
/// - ``SceneError/Code/tooMany`` if 1,024 requests already wait, or if the broker does not read its
///   input
/// - ``SceneError/Code/tooLarge`` if the request is longer than a frame, by default 1 MiB
/// - ``SceneError/Code/methodNotFound`` if the broker is older than the request
/// - the error that ended the application, such as ``SceneError/Code/brokerUnavailable``,
///   ``SceneError/Code/wrongApplication``, ``SceneError/Code/unsupportedProtocol`` or
///   ``SceneError/Code/notPermitted``
/// - the errors of ``SceneApplication/start()``, because a request starts the application
public struct SceneError: Error, Hashable, Sendable {
  /// The stable name of an error. A newer broker may have other names. Corresponds to
  /// `UISceneError.Code`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the error in the protocol. Corresponds to `UISceneError.Code.rawValue`.
    public let rawValue: String

    /// Makes a code from its name, also an unknown one. Corresponds to
    /// `UISceneError.Code.init(rawValue:)`.
    ///
    /// - Parameter rawValue: the name in the protocol.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// Whether another attempt can succeed.
  public enum Retry: String, Hashable, Sendable {
    /// The broker would refuse the same request again.
    case never
    /// Another attempt can succeed after a pause, when something has changed.
    case later
    /// Another attempt can succeed at once, because only another request came first.
    case now
  }

  /// The name of the error. Corresponds to `UISceneError.code`.
  public var code: Code
  /// A sentence for users: the problem, and a solution where there is one. A message of the broker
  /// has at most 500 bytes. Corresponds to `Error.localizedDescription`.
  public var message: String
  /// Whether another attempt can succeed.
  public var retry: Retry

  /// Makes an error, for the tests of a program. Corresponds to `UISceneError.init(_:userInfo:)`.
  ///
  /// - Parameters:
  ///   - code: the name of the error.
  ///   - message: a sentence for users.
  ///   - retry: whether another attempt can succeed.
  public init(_ code: Code, _ message: String, retry: Retry = .never) {
    self.code = code
    self.message = message
    self.retry = retry
  }
}

extension SceneError {
  /// The reply belongs to another request.
  static var unexpectedReply: SceneError {
    SceneError(
      .invalidRequest, "invalid reply from the broker: the reply belongs to another request")
  }
}

extension SceneError {
  /// This program has these delegate classes, and none for the configuration.
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
  /// No broker answers at the socket, or no path for the socket is available.
  public static let brokerUnavailable = Self(rawValue: "brokerUnavailable")
  /// The broker at the socket serves another application.
  public static let wrongApplication = Self(rawValue: "wrongApplication")
  /// The connection was lost during a request that must not be repeated.
  public static let connectionLost = Self(rawValue: "connectionLost")
  /// The manifest names a delegate class that this program lacks; the message lists its classes.
  public static let noDelegateClass = Self(rawValue: "noDelegateClass")
  /// The task of the request was cancelled. The message has the fate of the request.
  public static let cancelled = Self(rawValue: "cancelled")
  /// The time of ``SceneApplication/withTimeout(_:_:)`` has passed. The message has the fate of the
  /// request.
  public static let timedOut = Self(rawValue: "timedOut")
  /// This application has ended or is about to end.
  public static let applicationStopped = Self(rawValue: "applicationStopped")

  /// The message is not JSON, because of a bug in the broker or in this library.
  public static let parseError = Self(rawValue: "parseError")
  /// The message is invalid, or no reply to the request.
  public static let invalidRequest = Self(rawValue: "invalidRequest")
  /// The broker is older than the request.
  public static let methodNotFound = Self(rawValue: "methodNotFound")
  /// A parameter is invalid; the message names it.
  public static let invalidParams = Self(rawValue: "invalidParams")
  /// The manifest allows one session, which exists. Corresponds to
  /// `UISceneError.Code.multipleScenesNotSupported`.
  public static let multipleScenesNotSupported = Self(rawValue: "multipleScenesNotSupported")
  /// The broker or a client declined: no client accepts the scene, or no call runs that could be
  /// extended. Corresponds to `UISceneError.Code.requestDenied`.
  public static let requestDenied = Self(rawValue: "requestDenied")
  /// The broker and this library have no common protocol version.
  public static let unsupportedProtocol = Self(rawValue: "unsupportedProtocol")
  /// The broker belongs to another user, or the request is not allowed for a scene's client.
  public static let notPermitted = Self(rawValue: "notPermitted")
  /// The session does not exist, or is being discarded.
  public static let sessionNotFound = Self(rawValue: "sessionNotFound")
  /// Another client has the scene of this session.
  public static let sessionInUse = Self(rawValue: "sessionInUse")
  /// This client does not have the scene of this session.
  public static let sessionNotHeld = Self(rawValue: "sessionNotHeld")
  /// Another session has this name.
  public static let nameInUse = Self(rawValue: "nameInUse")
  /// No connected client can make the scene.
  public static let noHost = Self(rawValue: "noHost")
  /// No launched process has made the scene.
  public static let launchFailed = Self(rawValue: "launchFailed")
  /// The manifest has no configuration for the role.
  public static let noConfiguration = Self(rawValue: "noConfiguration")
  /// The session or the configuration has another role.
  public static let wrongRole = Self(rawValue: "wrongRole")
  /// Another process is the application delegate.
  public static let delegateInUse = Self(rawValue: "delegateInUse")
  /// A parameter is too large; the message has the limit.
  public static let tooLarge = Self(rawValue: "tooLarge")
  /// A limit of sessions, scenes, assertions, waiting requests or unsaved changes is reached.
  public static let tooMany = Self(rawValue: "tooMany")
  /// The disk or the space for sessions is full. The saved state is unchanged.
  public static let storageFull = Self(rawValue: "storageFull")
  /// An activation condition is invalid; the message has the place of the error.
  public static let invalidPredicate = Self(rawValue: "invalidPredicate")
  /// The application is ending.
  public static let shuttingDown = Self(rawValue: "shuttingDown")
}
