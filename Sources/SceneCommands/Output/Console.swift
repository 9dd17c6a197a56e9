package import CommandLine
import JSON
package import ScenePlatform

/// Where a verb prints: what was asked for on standard output, everything else on standard error.
package final class Console {
  /// Whether standard output may be coloured.
  let isColoured: Bool
  /// Whether standard output is a terminal whose screen can be drawn anew.
  let isScreen: Bool
  /// Whether a verb can read standard input; if not, the input is empty.
  let readsInput: Bool
  private let write: (StandardStream, ContiguousArray<UInt8>) throws(SystemError) -> Void
  private var gathered: ContiguousArray<UInt8> = []
  /// What was complained of last.
  package internal(set) var lastFailure: ProgramError?
  /// Why something that was printed is lost.
  private var failure: SystemError?
  private let makeProgress: (_ erasedBySignals: Bool) -> ProgressLine?
  /// The line of a long operation, if one has begun.
  package private(set) var progress: ProgressLine?

  /// From here on what was gathered is written before more is.
  private static let longestGathered = 64 << 10

  package init(
    isColoured: Bool = false, isScreen: Bool = false, readsInput: Bool = true,
    makeProgress: @escaping (_ erasedBySignals: Bool) -> ProgressLine? = { _ in nil },
    write: @escaping (StandardStream, ContiguousArray<UInt8>) throws(SystemError) -> Void
  ) {
    self.isColoured = isColoured
    self.isScreen = isScreen
    self.readsInput = readsInput
    self.makeProgress = makeProgress
    self.write = write
  }

  /// The standard streams, coloured on a terminal unless `$NO_COLOR` says no.
  package static func standard(
    _ environment: [String: String], _ processControl: ProcessControl
  ) -> Console {
    let isScreen =
      StandardStream.output.isTerminal && environment["TERM"].map { $0 != "dumb" } ?? false
    let isColoured = isScreen && environment["NO_COLOR", default: ""].isEmpty
    return Console(
      isColoured: isColoured, isScreen: isScreen,
      makeProgress: { erasedBySignals in
        let progress = ProgressLine.onStandardError(terminal: environment["TERM"])
        if erasedBySignals, let progress {
          try? processControl.onEndingSignal { _ in
            progress.end()
            return .signal
          }
        }
        return progress
      }
    ) { (stream, bytes) throws(SystemError) in
      try stream.write(bytes.span.bytes)
    }
  }

  /// Begins a long operation. Its line is nil where standard error is no terminal. An operation that
  /// does not handle signals itself sets `erasedBySignals`.
  func beginProgress(erasedBySignals: Bool = false) -> ProgressLine? {
    progress = makeProgress(erasedBySignals)
    return progress
  }

  /// Gathers text; a long one leaves at once.
  func print(_ text: String, terminator: String = "\n") {
    gathered.append(contentsOf: text.utf8)
    gathered.append(contentsOf: terminator.utf8)
    writeIfLong()
  }

  /// Gathers a line with this JSON on it, byte for byte.
  func print(_ json: RawJSON) {
    gathered.append(contentsOf: json.bytes)
    gathered.append(UInt8(ascii: "\n"))
    writeIfLong()
  }

  func print(_ table: Table) {
    print(table.text(coloured: isColoured), terminator: "")
  }

  func clearScreen() { print("\u{1B}[H\u{1B}[J", terminator: "") }

  /// Whether output is lost because the reader of standard output has exited.
  var isUnread: Bool { failure?.code == .brokenPipe }

  /// Whether the verb ended because standard output has no reader. The main program then ends as after
  /// SIGPIPE.
  package private(set) var hasLostReader = false

  /// The error of a verb that ends because standard output has no reader.
  func lostReader() -> ProgramError {
    hasLostReader = true
    return ProgramError(.inputOutput, "standard output: \(ErrorCode.brokenPipe)")
  }

  /// Writes what was gathered.
  func flush() throws(ProgramError) {
    writeGathered()
    if let failure { throw ProgramError(.inputOutput, "standard output: \(failure.code)") }
  }

  private func writeIfLong() {
    if gathered.count >= Self.longestGathered { writeGathered() }
  }

  private func writeGathered() {
    guard !gathered.isEmpty else { return }
    progress?.erase()
    do throws(SystemError) {
      if failure == nil { try write(.output, gathered) }
    } catch {
      failure = error
    }
    gathered.removeAll(keepingCapacity: true)
  }

  /// Prints a line on standard error, after what was printed before. No output is left to report if that
  /// fails.
  package func complain(_ text: String) {
    writeGathered()
    progress?.erase()
    try? write(.error, ContiguousArray((text + "\n").utf8))
  }
}
