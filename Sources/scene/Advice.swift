import ScenePlatform

/// Command lines that a person is advised to copy, for the same broker.
struct Advice: Sendable {
  /// The options that lead there, each with a space before it.
  var options = ""
  /// How the session was named on the command line, with a space before it.
  var session = ""
  /// Where the broker listens, if that is known.
  var socket: String?

  var takeOver: String { "scene\(options)\(session) --take-over" }
  var another: String { "scene\(options) --new" }
  var delegate: String { "scenectl\(options) delegate" }

  /// The process of the broker, if it is stopped and so does not answer.
  var stoppedBroker: Int32? {
    guard let socket,
      let holder = LockHolder(readFrom: LockHolder.file(besideSocket: socket)), holder.isStopped
    else { return nil }
    return holder.pid
  }
}
