/// Why something that was asked for did not come about.
public struct SceneError: Error, Hashable, Sendable {
  /// The stable name of an error. There may be names that this version does not know.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// Whether asking again can help.
  public enum Retry: String, Hashable, Sendable {
    case never
    /// After something has changed, so with a pause.
    case later
    /// At once: the request was only overtaken.
    case now
  }

  public var code: Code
  /// A sentence for people: what is wrong, and where one can be given, what to do.
  public var message: String
  public var retry: Retry

  public init(_ code: Code, _ message: String, retry: Retry = .never) {
    self.code = code
    self.message = message
    self.retry = retry
  }
}

extension SceneError {
  /// What answered a request is the answer to another one.
  static var unexpectedReply: SceneError {
    SceneError(.invalidRequest, "the broker's answer is not one to what was asked")
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
  /// The broker went while it was asked for something that must not be asked twice.
  public static let connectionLost = Self(rawValue: "connectionLost")
  /// This application has ended, or is about to.
  public static let applicationStopped = Self(rawValue: "applicationStopped")

  public static let parseError = Self(rawValue: "parseError")
  public static let invalidRequest = Self(rawValue: "invalidRequest")
  public static let methodNotFound = Self(rawValue: "methodNotFound")
  public static let invalidParams = Self(rawValue: "invalidParams")
  public static let multipleScenesNotSupported = Self(rawValue: "multipleScenesNotSupported")
  public static let requestDenied = Self(rawValue: "requestDenied")
  public static let unsupportedProtocol = Self(rawValue: "unsupportedProtocol")
  public static let notPermitted = Self(rawValue: "notPermitted")
  public static let sessionNotFound = Self(rawValue: "sessionNotFound")
  /// Another client has the scene of this session.
  public static let sessionInUse = Self(rawValue: "sessionInUse")
  /// This client does not have the scene of this session, or no longer.
  public static let sessionNotHeld = Self(rawValue: "sessionNotHeld")
  public static let nameInUse = Self(rawValue: "nameInUse")
  /// No client is there that could make the scene.
  public static let noHost = Self(rawValue: "noHost")
  public static let noConfiguration = Self(rawValue: "noConfiguration")
  public static let wrongRole = Self(rawValue: "wrongRole")
  public static let tooLarge = Self(rawValue: "tooLarge")
  public static let tooMany = Self(rawValue: "tooMany")
  public static let storageFull = Self(rawValue: "storageFull")
  public static let shuttingDown = Self(rawValue: "shuttingDown")
}
