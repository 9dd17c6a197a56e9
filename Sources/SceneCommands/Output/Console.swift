package import SceneCommandLine
import SceneJSON
import SceneModel
package import ScenePlatform

/// The output of a verb: results on standard output, everything else on standard error.
package final class Console {
  /// Whether standard output can have colors.
  let isColored: Bool
  /// Whether standard output is a terminal that can clear its screen.
  let isScreen: Bool
  private let width: () -> Int?
  /// Whether a verb can read standard input; if not, the input is empty.
  let readsInput: Bool
  private let write: (StandardStream, ContiguousArray<UInt8>) throws(SystemError) -> Void
  private var buffer: ContiguousArray<UInt8> = []
  /// The last printed error.
  package internal(set) var lastError: ProgramError?
  /// The error of the first write that failed.
  private var writeError: SystemError?
  private let makeProgress: (_ erasedBySignals: Bool) -> ProgressLine?
  /// The line of a long operation, if one has begun.
  package private(set) var progress: ProgressLine?

  /// The number of bytes that cause a write.
  private static let bufferLimit = 64 << 10

  package init(
    isColored: Bool = false, isScreen: Bool = false, readsInput: Bool = true,
    width: @escaping () -> Int? = { nil },
    makeProgress: @escaping (_ erasedBySignals: Bool) -> ProgressLine? = { _ in nil },
    write: @escaping (StandardStream, ContiguousArray<UInt8>) throws(SystemError) -> Void
  ) {
    self.isColored = isColored
    self.isScreen = isScreen
    self.width = width
    self.readsInput = readsInput
    self.makeProgress = makeProgress
    self.write = write
  }

  /// The standard streams, with colors on a terminal unless `$NO_COLOR` is set.
  package static func standard(_ environment: [String: String]) -> Console {
    let isScreen =
      StandardStream.output.isTerminal && environment["TERM"].map { $0 != "dumb" } ?? false
    let isColored = isScreen && environment["NO_COLOR", default: ""].isEmpty
    return Console(
      isColored: isColored, isScreen: isScreen,
      width: { StandardStream.output.isTerminal ? Terminal.columns : nil },
      makeProgress: { erasedBySignals in
        let progress = ProgressLine.onStandardError(terminal: environment["TERM"])
        if erasedBySignals, let progress {
          try? ProcessControl(ownsProcess: true).onEndingSignal { _ in
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

  /// Begins a long operation. Its line is nil where standard error is no terminal. An operation
  /// that does not handle signals itself sets `erasedBySignals`.
  func beginProgress(erasedBySignals: Bool = false) -> ProgressLine? {
    progress = makeProgress(erasedBySignals)
    return progress
  }

  /// Appends text to the output. Long output is written at once.
  func print(_ text: String, terminator: String = "\n") {
    buffer.append(contentsOf: text.utf8)
    buffer.append(contentsOf: terminator.utf8)
    writeIfLong()
  }

  /// Appends a line with this JSON, byte for byte.
  func print(_ json: RawJSON) {
    buffer.append(contentsOf: json.bytes)
    buffer.append(UInt8(ascii: "\n"))
    writeIfLong()
  }

  /// Appends a line with the JSON of a value.
  func print(_ value: some JSONCodable) {
    var writer = JSONWriter()
    value.write(to: &writer)
    print(RawJSON(unchecked: writer.bytes))
  }

  /// The width of the window now; nil if standard output is none.
  var columns: Int? { width() }

  func print(_ table: Table) {
    print(table.text(colored: isColored, in: columns), terminator: "")
  }

  func clearScreen() { print("\u{1B}[H\u{1B}[J", terminator: "") }

  /// Whether output is lost because the reader of standard output has exited.
  var hasNoReader: Bool { writeError?.code == .brokenPipe }

  /// Whether the verb ended because standard output has no reader. The main program then ends as
  /// after SIGPIPE.
  package private(set) var hasLostReader = false

  /// The error of a verb that ends because standard output has no reader.
  func lostReader() -> ProgramError {
    hasLostReader = true
    return ProgramError(.inputOutput, "standard output: \(ErrorCode.brokenPipe)")
  }

  /// Writes the output.
  func flush() throws {
    writeBuffer()
    if let writeError { throw ProgramError(.inputOutput, "standard output: \(writeError.code)") }
  }

  private func writeIfLong() {
    if buffer.count >= Self.bufferLimit { writeBuffer() }
  }

  private func writeBuffer() {
    guard !buffer.isEmpty else { return }
    progress?.erase()
    do throws(SystemError) {
      if writeError == nil { try write(.output, buffer) }
    } catch {
      writeError = error
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Prints a line on standard error, after what was printed before. No output is left to report if
  /// that fails.
  package func printError(_ text: String) {
    writeBuffer()
    progress?.erase()
    try? write(.error, ContiguousArray((text + "\n").utf8))
  }
}
