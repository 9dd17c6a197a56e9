import ScenePlatform

/// The output of a program. Each line goes to the log, up to a limit.
///
/// A program can neither fill the log nor keep the loop busy. The log gets the first lines of each
/// second and the count of the others. A program that writes more waits.
final class ProgramOutput {
  enum Outcome {
    case more
    /// The output is not read before ``pauseEnd``.
    case tooMuch
    case end
  }

  private let descriptor: FileDescriptor
  /// The program and its process, in front of each line.
  var label: String
  /// The path of the FIFO; nil for a pipe.
  var path: String?
  private let log: Log
  private var line: [UInt8] = []
  private var isCut = false
  /// When the current second began, by the monotonic clock, and the output since then.
  private var second: Int64 = .min
  private var lineCount = 0
  private var lineLimit = ProgramOutput.linesPerSecond
  private var byteCount = 0
  private(set) var pauseEnd: Int64?
  /// Whether no process can write any more.
  private(set) var hasEnded = false

  static let longestLine = 1 << 10
  static let linesPerSecond = 100
  static let bytesPerSecond = 1 << 18
  private static let nanosecondsPerSecond: Int64 = 1_000_000_000

  init(_ descriptor: consuming FileDescriptor, label: String, path: String? = nil, log: Log) {
    self.descriptor = descriptor
    self.label = label
    self.path = path
    self.log = log
  }

  var number: Int32 { descriptor.number }

  /// Reads the available output. `isLast` states that the other end is closed.
  func read(into input: InputBuffer, isLast: Bool) -> Outcome {
    let now = SystemClock.monotonic()
    beginSecond(now)
    while true {
      switch descriptor.readAvailable(into: input.bytes) {
      case .bytes(let count):
        byteCount += count
        input.withSpan(of: count) { take($0) }
      case .wouldBlock: return isLast ? finish() : .more
      case .end, .failed:
        hasEnded = true
        return finish()
      }
      // A pipe holds little, unless another process still writes.
      if isLast, byteCount <= 2 * Self.bytesPerSecond { continue }
      if isLast { return finish() }
      guard byteCount > Self.bytesPerSecond else { return .more }
      pauseEnd = second + Self.nanosecondsPerSecond
      return .tooMuch
    }
  }

  /// Reads what waits in the FIFO of an earlier broker. All of its lines go to the log.
  func readBacklog(into input: InputBuffer) -> Outcome {
    lineLimit = .max
    defer { (lineLimit, lineCount, byteCount) = (Self.linesPerSecond, 0, 0) }
    return read(into: input, isLast: false)
  }

  /// The pause is over.
  func resume(at now: Int64) {
    pauseEnd = nil
    beginSecond(now)
  }

  private func beginSecond(_ now: Int64) {
    guard second == .min || now - second >= Self.nanosecondsPerSecond else { return }
    logOmissions()
    (second, lineCount, byteCount) = (now, 0, 0)
  }

  private func finish() -> Outcome {
    endLine()
    logOmissions()
    lineCount = 0
    return .end
  }

  private func take(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\n") {
        endLine()
      } else if line.count < Self.longestLine {
        line.append(byte)
      } else {
        isCut = true
      }
    }
  }

  private func endLine() {
    defer {
      line.removeAll(keepingCapacity: true)
      isCut = false
    }
    guard !line.isEmpty else { return }
    lineCount += 1
    guard lineCount <= lineLimit else { return }
    log.note("\(label): \(String(decoding: line, as: UTF8.self))\(isCut ? "…" : "")")
  }

  private func logOmissions() {
    let left = lineCount - Self.linesPerSecond
    if left > 0 { log.note("\(label): omitted \(left) more lines within one second") }
  }
}
