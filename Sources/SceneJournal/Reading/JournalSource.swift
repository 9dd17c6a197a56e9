/// The files of a journal, for reading.
struct JournalSource: Sendable {
  let storage: any Storage
  /// The bytes that a step reads, and that a window holds unless a batch is longer.
  let windowByteCount: Int
  private let progress: ReadProgress?

  /// A source that reports the progress, if the options want it.
  init(_ storage: any Storage, _ options: JournalOptions, reportsProgress: Bool = true) {
    self.storage = storage
    windowByteCount = options.stepByteCount
    progress =
      reportsProgress ? options.onRead.map { ReadProgress(of: storage, report: $0) } : nil
  }

  /// A window over the first `end` bytes of a file.
  func window(of name: String, end: Int) throws(JournalError) -> FileWindow {
    let file = try storage.open(name, for: .reading)
    guard let progress else { return FileWindow(file, end: end, byteLimit: windowByteCount) }
    return FileWindow(file, end: end, byteLimit: windowByteCount) {
      progress.note(name, readTo: $0)
    }
  }
}
