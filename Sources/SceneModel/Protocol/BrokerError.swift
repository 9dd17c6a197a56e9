package import SceneJSON

/// Whether a retry can succeed.
package enum Retry: String, Sendable {
  case never
  /// A retry can succeed later, after a change that the client cannot see.
  case later
  /// A retry can succeed at once: another request was first.
  case now
}

/// The name of an error, with its code. Both are stable.
package struct ErrorReason: Hashable, Sendable {
  package let name: String
  package let code: Int64
  /// The default for errors with this reason.
  package let retry: Retry
  /// Whether every error with this reason describes sessions, so that it waits for their records.
  package let speaksOfSessions: Bool

  private init(
    _ name: String, _ code: Int64, _ retry: Retry = .never, speaksOfSessions: Bool = false
  ) {
    self.name = name
    self.code = code
    self.retry = retry
    self.speaksOfSessions = speaksOfSessions
  }

  package static let parseError = ErrorReason("parseError", -32700)
  package static let invalidRequest = ErrorReason("invalidRequest", -32600)
  package static let methodNotFound = ErrorReason("methodNotFound", -32601)
  package static let invalidParams = ErrorReason("invalidParams", -32602)
  package static let multipleScenesNotSupported = ErrorReason(
    "multipleScenesNotSupported", 0, speaksOfSessions: true)
  package static let requestDenied = ErrorReason("requestDenied", 1, speaksOfSessions: true)
  package static let notInitialized = ErrorReason("notInitialized", 1000)
  package static let alreadyInitialized = ErrorReason("alreadyInitialized", 1001)
  package static let unsupportedProtocol = ErrorReason("unsupportedProtocol", 1002)
  package static let notPermitted = ErrorReason("notPermitted", 1003)
  package static let sessionNotFound = ErrorReason("sessionNotFound", 1004, speaksOfSessions: true)
  package static let sessionInUse = ErrorReason("sessionInUse", 1005, speaksOfSessions: true)
  package static let sessionNotHeld = ErrorReason("sessionNotHeld", 1006, speaksOfSessions: true)
  package static let nameInUse = ErrorReason("nameInUse", 1007, speaksOfSessions: true)
  package static let noHost = ErrorReason("noHost", 1008, .later)
  package static let noConfiguration = ErrorReason("noConfiguration", 1009)
  package static let wrongRole = ErrorReason("wrongRole", 1010, speaksOfSessions: true)
  package static let delegateInUse = ErrorReason("delegateInUse", 1011)
  package static let tooLarge = ErrorReason("tooLarge", 1012)
  package static let tooMany = ErrorReason("tooMany", 1013, .later)
  package static let storageFull = ErrorReason("storageFull", 1014, .later)
  package static let shuttingDown = ErrorReason("shuttingDown", 1015, .later)
  package static let launchFailed = ErrorReason("launchFailed", 1016, .later)
  package static let invalidPredicate = ErrorReason("invalidPredicate", 1017)

  /// All reasons, in the order of their codes.
  package static let all: [ErrorReason] = [
    parseError, invalidRequest, methodNotFound, invalidParams, multipleScenesNotSupported,
    requestDenied, notInitialized, alreadyInitialized, unsupportedProtocol, notPermitted,
    sessionNotFound, sessionInUse, sessionNotHeld, nameInUse, noHost, noConfiguration, wrongRole,
    delegateInUse, tooLarge, tooMany, storageFull, shuttingDown, launchFailed, invalidPredicate,
  ]

  package static func named(_ name: String) -> ErrorReason? { all.first { $0.name == name } }
}

/// The error that answers a request.
package struct BrokerError: Error, Hashable, Sendable {
  package var reason: ErrorReason
  package var message: String
  package var retry: Retry
  /// Whether the message speaks of stored state, so that it must wait for the disk. Not sent to the
  /// client.
  package var speaksOfSessions: Bool
  /// The session of the error, if the requester may not know the session.
  package var session: SessionIdentifier?

  /// The most bytes of a message, which can quote a whole frame of a client.
  package static let messageBytes = 500

  package init(
    _ reason: ErrorReason, _ message: String, retry: Retry? = nil, speaksOfSessions: Bool = false,
    session: SessionIdentifier? = nil
  ) {
    self.reason = reason
    self.message = message.clipped(to: Self.messageBytes)
    self.retry = retry ?? reason.retry
    self.speaksOfSessions = speaksOfSessions || session != nil
    self.session = session
  }

  /// The most bytes of a message that is a list and quotes no frame.
  package static let listBytes = 4000

  /// A message with a line for each item. `rest` describes the number of items without room.
  package init(_ reason: ErrorReason, list: [String], rest: (_ count: Int) -> String) {
    self.init(reason, "")
    let whole = list.joined(separator: "\n")
    guard whole.utf8.count > Self.listBytes else {
      message = whole
      return
    }
    var room = Self.listBytes - rest(list.count).utf8.count
    var lines: [String] = []
    for line in list {
      let clipped = line.clipped(to: Self.messageBytes)
      room -= clipped.utf8.count + 1
      guard room >= 0 else { break }
      lines.append(clipped)
    }
    if lines.count < list.count { lines.append(rest(list.count - lines.count)) }
    message = lines.joined(separator: "\n")
  }
}

extension BrokerError: CustomStringConvertible {
  package var description: String { "\(reason.name): \(message)" }
}

extension BrokerError {
  /// The error object of a JSON-RPC reply.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("code")
    writer.integer(reason.code)
    writer.name("message")
    writer.string(message)
    writer.name("data")
    writer.beginObject()
    writer.name("reason")
    writer.string(reason.name)
    writer.name("retry")
    writer.string(retry.rawValue)
    if let session {
      writer.name("session")
      writer.string(session.description)
    }
    writer.endObject()
    writer.endObject()
  }
}
