public import SceneModel

/// The reason why a request failed. Corresponds to `UISceneError`.
///
/// Most errors are replies of the broker, with their names in the protocol; some come from the
/// library. The loss of the broker is no error: requests wait for the next broker if they can.
///
/// The common errors, which every request can throw:
///
/// - ``SceneError/Code/cancelled`` if the task is cancelled before the reply
/// - ``SceneError/Code/applicationStopped`` after ``SceneApplication/stop()``
/// - ``SceneError/Code/tooMany`` if 1,024 requests already wait, or if the broker does not read its
///   input
/// - ``SceneError/Code/tooLarge`` if the request is longer than a frame, by default 1 MiB
/// - ``SceneError/Code/methodNotFound`` if the broker is older than the request
/// - the error that ended the application, such as ``SceneError/Code/brokerUnavailable``,
///   ``SceneError/Code/wrongApplication``, ``SceneError/Code/unsupportedProtocol`` or
///   ``SceneError/Code/notPermitted``
/// - ``SceneError/Code/invalidParams`` for an invalid application name, because a request starts
///   the application
public struct SceneError: Error, Hashable, Sendable {
  /// The name of an error. Corresponds to `UISceneError.Code`.
  public enum Code: String, Hashable, Sendable {
    /// No broker answers at the socket, or no path for the socket is available.
    case brokerUnavailable
    /// The broker at the socket serves another application.
    case wrongApplication
    /// The connection was lost during a request that must not be repeated.
    case connectionLost
    /// The manifest names a delegate class that this program lacks; the message lists its classes.
    case noDelegateClass
    /// The task of the request was cancelled. The message has the fate of the request.
    case cancelled
    /// This application has ended or is about to end.
    case applicationStopped

    /// The message is not JSON, because of a bug in the broker or in this library.
    case parseError
    /// The message is invalid, or no reply to the request.
    case invalidRequest
    /// The broker is older than the request.
    case methodNotFound
    /// A parameter is invalid; the message names it.
    case invalidParams
    /// The manifest allows one session, which exists. Corresponds to
    /// `UISceneError.Code.multipleScenesNotSupported`.
    case multipleScenesNotSupported
    /// The broker or a client declined: no client accepts the scene, or no call runs that could be
    /// extended. Corresponds to `UISceneError.Code.requestDenied`.
    case requestDenied
    /// The broker and this library have no common protocol version.
    case unsupportedProtocol
    /// The broker belongs to another user, or the request is not allowed for a scene's client.
    case notPermitted
    /// The session does not exist, or is being discarded.
    case sessionNotFound
    /// Another client has the scene of this session.
    case sessionInUse
    /// This client does not have the scene of this session.
    case sessionNotHeld
    /// Another session has this name.
    case nameInUse
    /// No connected client can make the scene.
    case noHost
    /// No launched process has made the scene.
    case launchFailed
    /// The manifest has no configuration for the role.
    case noConfiguration
    /// The session or the configuration has another role.
    case wrongRole
    /// Another process is the application delegate.
    case delegateInUse
    /// A parameter is too large; the message has the limit.
    case tooLarge
    /// A limit of sessions, scenes, assertions, waiting requests or unsaved changes is reached.
    case tooMany
    /// The disk or the space for sessions is full. The saved state is unchanged.
    case storageFull
    /// An activation condition is invalid; the message has the place of the error.
    case invalidPredicate
    /// Another host has the session; the message has the command that brings it back.
    case sessionAway
    /// The client of the scene has not answered a ping in time.
    case unresponsive
    /// The application is ending.
    case shuttingDown
    /// An error of the program itself, or of a newer broker.
    case other
  }

  /// Whether another attempt can succeed.
  public typealias Retry = SceneModel.Retry

  /// The name of the error. Corresponds to `UISceneError.code`.
  public var code: Code { Code(rawValue: name) ?? .other }
  /// The name of the error in the protocol.
  package let name: String
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
    self.init(named: code.rawValue, message, retry: retry)
  }

  /// An error whose name may have no code here.
  package init(named name: String, _ message: String, retry: Retry = .never) {
    self.name = name
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
    let missing = configuration.delegateClass.map { " \($0)" } ?? ""
    return SceneError(
      .noDelegateClass,
      "no delegate class\(missing) for configuration \(configuration.name): "
        + (missing.isEmpty
          ? "the manifest names none, and this program has \(known); name one in the manifest"
          : "this program has \(known); add the class, or change the manifest"))
  }
}

extension SceneError: CustomStringConvertible {
  public var description: String { "\(name): \(message)" }
}
