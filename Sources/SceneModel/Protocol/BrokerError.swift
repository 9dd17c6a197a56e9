package import SceneJSON

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
    writer.object { writer in
      writer.member("code", reason.code)
      writer.member("message", message)
      writer.object("data") { writer in
        writer.member("reason", reason.name)
        writer.member("retry", retry.rawValue)
        writer.member("session", ifPresent: session)
      }
    }
  }
}
