import CScenePlatform

extension StandardStream {
  /// Makes standard output line-buffered.
  package static func printLineByLine() { platform_print_lines() }
}

/// One of the three standard descriptors.
package enum StandardStream: Int32, Sendable {
  case input = 0
  case output = 1
  case error = 2

  package var number: Int32 { rawValue }

  /// Writes all of the text, with one call if possible. Waits until the stream accepts it.
  package func write(_ text: String) throws(SystemError) {
    queue.wait(until: nil)
    try writeAll(text, to: number)
  }

  /// Writes all bytes, with one call if possible. Waits until the stream accepts them.
  package func write(_ bytes: RawSpan) throws(SystemError) {
    queue.wait(until: nil)
    try bytes.withUnsafeBytes { (buffer) throws(SystemError) in try writeAll(buffer, to: number) }
  }

  /// Reads the available bytes, at most the size of the buffer.
  package func read(into buffer: UnsafeMutableRawBufferPointer) -> ReceiveOutcome {
    readAvailable(number, into: buffer)
  }

  package var isTerminal: Bool { Terminal.isTerminal(number) }

  // MARK: - Output without a wait

  private static let outputQueue = OutputQueue(to: output.number)
  private static let errorQueue = OutputQueue(to: error.number)
  private static let endsWithOutput: Void = { atexit { StandardStream.finishOutput() } }()

  /// The output of this process that waits for the reader of the stream.
  private var queue: OutputQueue { self == .output ? Self.outputQueue : Self.errorQueue }

  /// Adds text that a thread writes, so that the caller does not wait. Returns false if too much
  /// output waits. A `required` text, such as the reason for the end, is added nevertheless.
  @discardableResult
  package func offer(_ text: String, required: Bool = false) -> Bool {
    Self.endsWithOutput
    return queue.offer(text, required: required)
  }

  /// Whether offered output waits for the reader.
  package var isBehind: Bool { queue.isBehind }

  /// Waits until so little output waits that the stream accepts more.
  package func waitForRoom() { queue.waitForRoom() }

  /// The first error of a write of offered output; nil while all writes succeed.
  package var failure: ErrorCode? { queue.failure }

  /// Calls `body` on another thread at the first error of a write of offered output.
  package func onFailure(_ body: @escaping @Sendable () -> Void) { queue.onFailure(body) }

  /// Waits until the offered output is written, but for at most one second. The end of a process
  /// and its stop include this.
  package static func finishOutput() {
    let deadline = SystemClock.monotonic() + 1_000_000_000
    for queue in [outputQueue, errorQueue] { queue.wait(until: deadline) }
  }

  /// Makes the stream another file.
  func replace(by file: borrowing FileDescriptor) throws(SystemError) {
    let (new, number) = (file.number, self.number)
    try check("dup2") { dup2(new, number) }
  }

  /// Opens closed standard streams, and restores SIGPIPE and the environment of the caller.
  ///
  /// A closed stream is opened in the wrong direction, so that no later file gets its number and
  /// its use still fails.
  package static func prepare() {
    platform_restore_environment()
    Signal.restoreBrokenPipes()
    for stream in [StandardStream.input, .output, .error] where fcntl(stream.number, F_GETFD) < 0 {
      // `open` returns the lowest free number, and all lower ones are open.
      _ = open("/dev/null", stream == .input ? O_WRONLY : O_RDONLY)
    }
  }
}

/// Properties of a terminal.
package enum Terminal {
  /// The size of a window, in characters.
  package struct Size: Equatable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
      self.columns = columns
      self.rows = rows
    }
  }

  /// Discards the input that was not read.
  package static func discardInput(of number: Int32) { _ = tcflush(number, TCIFLUSH) }

  /// Whether a user can type at a prompt.
  package static var hasUser: Bool {
    StandardStream.input.isTerminal && StandardStream.output.isTerminal
  }

  /// The path of the first standard stream that is a terminal; nil without one.
  package static var name: String? {
    let number = (0...2).first { isTerminal($0) }
    return number.flatMap { number in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
        guard let path = room.baseAddress, ttyname_r(number, path, room.count) == 0 else {
          return nil
        }
        return String(cString: path)
      }
    }
  }

  package static func isTerminal(_ number: Int32) -> Bool {
    isatty(number) == 1
  }

  /// The width for text: `$COLUMNS`, else the width of the window of standard output; nil if both
  /// are unknown.
  package static var columns: Int? {
    if let columns = Environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
    return size(of: StandardStream.output.number)?.columns
  }

  /// The window's size; nil if it is unknown.
  package static func size(of number: Int32) -> Size? {
    var window = winsize()
    guard ioctl(number, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return nil }
    return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }

  /// The foreground process group; nil if this is not the controlling terminal.
  package static func foregroundGroup(of number: Int32) -> Int32? {
    let group = tcgetpgrp(number)
    return group > 0 ? group : nil
  }
}
