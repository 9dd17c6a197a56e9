import SceneCommandLine
import SceneJournal
import SceneJournalTools
import ScenePlatform

@testable import SceneJournalTools

/// A state directory that a recovery made.
final class RecoveredDirectory {
  let path: String
  /// The report of the recovery.
  var lines: [String] = []

  init(_ path: String) { self.path = path }

  deinit { try? Directory.removeTree(path) }

  var report: String { lines.joined(separator: "\n") + "\n" }

  /// The state that the journal adds up to.
  func state() throws -> RecoveredState { try Self.read(path) }

  static func read(_ path: String) throws -> RecoveredState {
    var state = RecoveredState()
    _ = try Journal.read(DirectoryStorage(path), visitor: &state)
    return state
  }

  /// A JSON object for each record.
  func dump() throws -> [String] {
    let printed = Printed()
    _ = try JournalDump.run(path) { printed.lines.append($0) }
    return printed.lines
  }
}
