package import SceneCommandLine
package import SceneJournal
import ScenePlatform

extension Journal {
  /// Reads the journal in a state directory.
  static func read(
    _ directory: String, visitor: inout some JournalVisitor,
    onRead: (@Sendable (JournalProgress) -> Void)? = nil
  ) throws(ProgramError) -> JournalReport {
    var options = JournalOptions()
    options.onRead = onRead
    let report: JournalReport
    do throws(JournalError) {
      report = try read(DirectoryStorage(directory), visitor: &visitor, options: options)
    } catch {
      throw ProgramError(error, in: directory)
    }
    guard !report.files.isEmpty else { throw ProgramError(noJournalIn: directory) }
    return report
  }
}

extension ProgramError {
  package init(noJournalIn directory: String, _ cause: StorageFailure? = nil) {
    // The message about the directory itself need not name the directory again.
    let why = cause.map { $0.call == .list ? ": \($0.message)" : ": \($0)" } ?? ""
    self.init(.noSession, "there is no journal in \(directory)\(why)")
  }

  init(_ error: JournalError, in directory: String) {
    switch error {
    case .storage(let cause) where cause.reason == .notFound:
      self.init(noJournalIn: directory, cause)
    case .storage(let cause) where cause.reason == .notAFile:
      self.init(.badData, error.message(in: directory))
    case .storage(let cause):
      let isDenied = cause.reason == .denied
      let owner = isDenied ? FileStatus.foreignOwner(near: directory) : nil
      self.init(
        isDenied ? .notAllowed : .inputOutput,
        error.explanation(in: directory) + (owner.map { "; \($0)" } ?? ""))
    case .noRoom:
      self.init(.tryAgain, error.explanation(in: directory))
    case .damaged, .gone, .foreign, .newerFormat:
      self.init(.badData, error.message(in: directory))
    }
  }
}

extension ProgressLine {
  /// Shows the progress of reading a journal.
  func showing(_ label: String) -> @Sendable (JournalProgress) -> Void {
    { self.show("\(label): \($0)") }
  }
}
