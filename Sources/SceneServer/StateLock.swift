import SceneJournal
import ScenePlatform

/// The one right to what is kept in a state directory, for as long as this lives.
final class StateLock {
  private let file: FileDescriptor

  /// Makes the directory if need be, and takes the lock in it; nil for a daemon that keeps nothing.
  static func take(for configuration: ServerConfiguration) throws(ServerError) -> StateLock? {
    guard configuration.durability != .none else { return nil }
    let directory = configuration.stateDirectory
    do throws(PrivateDirectoryError) {
      _ = try PrivateDirectory.make(directory, configuration.makingForState)
    } catch {
      var error = error
      error.holdsOurs = Journal.hasFiles(among: (try? Directory.list(directory)) ?? [])
      throw ServerError(error, option: "--state") {
        "and keep the state there: --state \($0.shellWord)"
      }
    }
    return StateLock(
      try Lock.take(
        "\(directory)/\(JournalMark.file)", for: "the state in \(directory)",
        socket: configuration.socketPath))
  }

  private init(_ file: consuming FileDescriptor) { self.file = file }

  /// Whether it is noted that there is a journal beside it.
  var isMarked: Bool { Lock.has(JournalMark.line, in: file) }

  func mark() { Lock.note(JournalMark.line, in: file) }
}
