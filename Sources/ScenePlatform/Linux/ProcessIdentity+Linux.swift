import CScenePlatform

extension ProcessIdentity {
  /// The process that has this ID now; nil if there is none.
  package static func of(_ pid: Int32) -> ProcessIdentity? {
    ProcessFiles(pid).record().map { ProcessIdentity(pid: pid, startTime: $0.startTime) }
  }

  /// The current parent of a process; nil if the process does not exist.
  package static func parent(of pid: Int32) -> Int32? {
    record(of: pid)?.parent
  }

  /// The record of a process; nil if the process does not exist.
  static func record(of pid: Int32) -> ProcessRecord? { ProcessFiles(pid).record() }

  package var liveness: Liveness {
    let files = ProcessFiles(pid)
    guard let record = files.record(), record.startTime == startTime else { return .gone }
    return files.isEnding(record) ? .ending : .running
  }

  /// How a process failed that is exiting or a zombie; nil for other processes, and for status 0.
  package var failureBeforeReaping: ProcessEnd? {
    let files = ProcessFiles(pid)
    guard let record = files.record(), record.startTime == startTime, record.isExiting,
      record.exitCode != 0, files.isEnding(record)
    else { return nil }
    return ProcessEnd(waitStatus: record.exitCode)
  }

  /// Whether the process is exiting, has been sent SIGKILL, or is gone.
  ///
  /// When `/proc` is not to be had, a process that can be signalled is taken to be running.
  package static func isEnding(_ pid: Int32) -> Bool {
    let files = ProcessFiles(pid)
    guard let record = files.record() else {
      return kill(pid, 0) != 0 && ErrorCode.last == .noSuchProcess
    }
    return files.isEnding(record)
  }
}

/// The files of one process in `/proc`.
private struct ProcessFiles {
  private let directory: String

  init(_ pid: Int32) {
    directory = "/proc/\(pid)"
  }

  /// One read returns the whole line of about fifty numbers.
  func record() -> ProcessRecord? {
    guard let file = try? File.open("\(directory)/stat", .read) else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: 2048, alignment: 1) { line in
      guard let count = try? file.read(into: line) else { return nil }
      return ProcessRecord(parsing: UnsafeRawBufferPointer(rebasing: line[..<count]))
    }
  }

  /// The first thread may end before the others, and any thread may be the first with a pending
  /// SIGKILL. So the code checks all threads.
  func isEnding(_ record: ProcessRecord) -> Bool {
    if isKilled("status") { return true }
    if record.threads <= 1 { return record.isExiting }
    guard let threads = try? Directory.list(directory + "/task") else { return true }
    var allExit = true
    for thread in threads {
      if isKilled("task/\(thread)/status") { return true }
      let record = contents("task/\(thread)/stat").flatMap { ProcessRecord(parsing: $0) }
      if let record, !record.isExiting { allExit = false }
    }
    return allExit
  }

  private func isKilled(_ name: String) -> Bool {
    contents(name).map { PendingSignals(parsing: $0).contains(.kill) } ?? false
  }

  /// The bytes of a file; nil if the process or thread is gone.
  private func contents(_ name: String) -> ContiguousArray<UInt8>? {
    try? File.read("\(directory)/\(name)", limit: 64 << 10)
  }
}

/// A descriptor of the process that has this number now.
func openProcess(_ number: Int32) -> FileDescriptor? {
  let descriptor = platform_open_process(number)
  return descriptor < 0 ? nil : FileDescriptor(adopting: descriptor)
}

func signalProcess(_ process: Int32, _ signal: Int32) -> Int32 {
  platform_signal_process(process, signal)
}
