/// The files of a journal, for reading.
struct JournalSource: Sendable {
  let storage: any Storage
  /// The bytes that a step reads, and that a window holds unless a batch is longer.
  let windowByteCount: Int
  private let progress: ReadProgress?

  init(_ storage: any Storage, windowByteCount: Int) {
    self.storage = storage
    self.windowByteCount = windowByteCount
    progress = nil
  }

  /// A source that reports the progress, if the options want it.
  init(_ storage: any Storage, _ options: JournalOptions) {
    self.storage = storage
    windowByteCount = options.stepByteCount
    progress = options.onRead.map { ReadProgress(of: storage, report: $0) }
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
