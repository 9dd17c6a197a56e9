import SceneCommandLine
import ScenePlatform

/// The output of all launched programs, by the poller's tokens.
///
/// The output of a program goes through a FIFO beside the socket. The program holds both ends, so
/// that it gets no SIGPIPE when the broker is killed. The next broker on this socket opens the FIFO
/// again. The broker removes the FIFO when no process holds it any more.
struct ProgramOutputs {
  private let poller: Poller
  private let log: Log
  /// The directory of the FIFOs, and the prefix of their names.
  private let directory: String
  private let prefix: String
  private let input = InputBuffer()
  private var outputs: [UInt64: ProgramOutput] = [:]
  private var lastToken = ProgramOutputs.firstToken

  /// Greater than the tokens of all connections.
  private static let firstToken: UInt64 = 1 << 62

  init(poller: Poller, log: Log, socket: String) {
    self.poller = poller
    self.log = log
    directory = Directory.parent(of: socket) ?? "/"
    prefix = Directory.lastPart(of: socket) + ".output."
  }

  /// The number of open descriptors.
  var count: Int { outputs.count }

  var isEmpty: Bool { outputs.isEmpty }

  // MARK: - Opening

  /// The end for a program, and the token of its output; nil if the output is not read.
  struct ProgramEnd: ~Copyable {
    let descriptor: FileDescriptor
    let token: UInt64?
  }

  /// Opens the output of a program that is to start. Without a FIFO, the output is a pipe, which
  /// ends with the broker.
  mutating func open(for program: String) throws(SystemError) -> ProgramEnd {
    do throws(SystemError) {
      let path = Directory.newTemporary(prefix: prefix + "new", in: directory)
      try File.makeFIFO(path)
      do throws(SystemError) {
        let ends = try File.open(path, [.read, .write])
        let reading = try File.open(path, [.read, .nonblocking])
        let token = try add(ProgramOutput(reading, label: program, path: path, log: log))
        return ProgramEnd(descriptor: ends, token: token)
      } catch {
        try? File.removeIfPresent(path)
        throw error
      }
    } catch {
      log.warn("\(program): its output ends with the broker: \(error)")
    }
    do throws(SystemError) {
      var pipe = try FileDescriptor.pipe()
      let reading = pipe.takeFirst()
      try reading.setNonblocking()
      let token = try add(ProgramOutput(reading, label: program, log: log))
      return ProgramEnd(descriptor: pipe.takeSecond(), token: token)
    } catch {
      log.warn("\(program): cannot read the output of the program: \(error)")
      return ProgramEnd(descriptor: try File.open("/dev/null", .write), token: nil)
    }
  }

  private mutating func add(_ output: ProgramOutput) throws(SystemError) -> UInt64 {
    lastToken += 1
    try poller.add(output.number, token: lastToken, interest: .readable)
    outputs[lastToken] = output
    return lastToken
  }

  /// The program has started as this process. The next broker reads the name of the FIFO.
  func started(_ token: UInt64?, as pid: Int32) {
    guard let token, let output = outputs[token] else { return }
    let named = "\(directory)/\(prefix)\(output.label).\(pid)"
    output.label += " \(pid)"
    guard let path = output.path, (try? File.rename(path, to: named)) != nil else { return }
    output.path = named
  }

  /// The program has not started.
  mutating func close(_ token: UInt64?) {
    if let token, let output = outputs[token] { forget(token, output) }
  }

  /// Opens the output of programs that an earlier broker on this socket launched.
  mutating func reopen() {
    for name in (try? Directory.list(directory)) ?? [] where name.hasPrefix(prefix) {
      let path = "\(directory)/\(name)"
      guard let status = try? FileStatus(of: path, followLinks: false), status.kind == .pipe,
        status.owner == User.current
      else { continue }
      var words = name.dropFirst(prefix.count).split(separator: ".")
      let pid = words.popLast() ?? ""
      let label = "\(words.joined(separator: ".")) \(pid)"
      do throws(SystemError) {
        let reading = try File.open(path, [.read, .nonblocking, .noFollow])
        let output = ProgramOutput(reading, label: label, path: path, log: log)
        let token = try add(output)
        // The poller does not report the end of a FIFO that no process held at the open.
        take(output.readBacklog(into: input), of: token, output)
      } catch {
        log.warn("\(label): cannot read the output of the program: \(error)")
      }
    }
  }

  // MARK: - Reading

  /// Reads the output with this token. Returns false if no program has the token.
  mutating func read(_ token: UInt64, isClosed: Bool) -> Bool {
    guard token >= Self.firstToken, let output = outputs[token] else { return false }
    take(output.read(into: input, isLast: isClosed), of: token, output)
    return true
  }

  private mutating func take(
    _ outcome: ProgramOutput.Outcome, of token: UInt64, _ output: ProgramOutput
  ) {
    switch outcome {
    case .more: break
    case .tooMuch: try? poller.modify(output.number, token: token, interest: [])
    case .end: forget(token, output)
    }
  }

  /// Removes the FIFO of an output that has ended.
  private mutating func forget(_ token: UInt64, _ output: ProgramOutput) {
    // The call cannot fail: the poller has this descriptor.
    try? poller.remove(output.number)
    outputs[token] = nil
    if let path = output.path { try? File.removeIfPresent(path) }
  }

  /// Reads what the programs have written. The next broker reads what other processes write that
  /// still hold a FIFO.
  mutating func end() {
    for (token, output) in outputs {
      _ = output.read(into: input, isLast: true)
      if !output.hasEnded { output.path = nil }
      forget(token, output)
    }
  }

  // MARK: - Pauses

  /// When `resume(at:)` has work; nil for never.
  var nextResume: Int64? { outputs.values.compactMap(\.pauseEnd).min() }

  /// Resumes paused output.
  func resume(at now: Int64) {
    for (token, output) in outputs where output.pauseEnd.map({ $0 <= now }) ?? false {
      output.resume(at: now)
      try? poller.modify(output.number, token: token, interest: .readable)
    }
  }
}

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
