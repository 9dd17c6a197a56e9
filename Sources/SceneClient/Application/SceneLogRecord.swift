import SceneCommandLine
import ScenePlatform

/// A message of the library about an event that no method throws.
///
/// By default the library writes these messages to standard error. A closure receives them instead.
/// The levels have the names of swift-log:
///
/// ```swift
/// SceneApplication(name: "notes", delegate: NoteDelegate.init) { record in
///   logger.log(level: Logger.Level(rawValue: record.level.rawValue)!, "\(record.message)")
/// }
/// ```
public struct SceneLogRecord: Hashable, Sendable {
  /// The severity of a message.
  public enum Level: String, Hashable, Sendable {
    /// A change that needs no action, such as the return of the broker.
    case notice
    /// Something failed, and the program continues.
    case warning
    /// The program cannot continue.
    case error
  }

  /// The severity of the message.
  public var level: Level
  /// The text: one line, or more with advice. Control characters are escaped, and the name of the
  /// program is not part of it.
  public var message: String
  /// The error of a failed request; nil for other messages.
  public var error: SceneError?

  package init(_ level: Level, _ message: String, error: SceneError? = nil) {
    self.level = level
    self.message = message
    self.error = error
  }

  /// Writes the records of a program to standard error. Drops a record if much output waits for the
  /// reader, because a record must not block the thread that reports it.
  package static func standardError(of program: String) -> @Sendable (SceneLogRecord) -> Void {
    { record in
      StandardStream.error.offer(
        PlainText.escapedLines("\(program): \(record.message)") + "\n",
        required: record.level == .error)
    }
  }
}

extension SceneLogRecord {
  /// The error of a delegate's call; nil for that of its cancellation.
  init?(_ error: any Error, ofCall call: String, of callee: String) {
    if error is CancellationError || (error as? SceneError)?.code == .cancelled { return nil }
    self.init(
      .warning,
      PlainText.escaped("call \(call) of \(callee) failed: \(SceneError.message(of: error))"),
      error: error as? SceneError)
  }
}

extension SceneError {
  /// The text of any error, for users.
  static func message(of error: any Error) -> String {
    (error as? SceneError)?.message ?? "\(error)"
  }

  /// The record of a request that no caller awaits.
  func record(_ problem: String) -> SceneLogRecord {
    SceneLogRecord(.warning, PlainText.escaped("\(problem): \(message)"), error: self)
  }
}
