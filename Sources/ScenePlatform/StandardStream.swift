import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension StandardStream {
  /// Lets what is printed leave line by line, whatever standard output is.
  package static func printLineByLine() { platform_print_lines() }
}

/// One of the three descriptors a program is started with; it belongs to the process.
package enum StandardStream: Int32, Sendable {
  case input = 0
  case output = 1
  case error = 2

  package var number: Int32 { rawValue }

  /// Writes all of the text with one call where the system takes it so; waits where it blocks.
  package func write(_ text: String) throws(SystemError) {
    try writeAll(text, to: number)
  }

  /// Writes all of the bytes with one call where the system takes it so; waits where it blocks.
  package func write(_ bytes: RawSpan) throws(SystemError) {
    let number = self.number
    try bytes.withUnsafeBytes { (buffer) throws(SystemError) in try writeAll(buffer, to: number) }
  }

  /// Writes the text as far as nobody has to wait for it longer than that many nanoseconds at a
  /// time; tells whether all of it was taken. This may be somebody else's descriptor too, so it is
  /// not made nonblocking.
  package func offer(_ text: String, patience: Int64 = 0) -> Bool {
    offerAll(text, to: number, patience: patience)
  }

  /// Reads what is there now, at most as much as the buffer holds.
  package func read(into buffer: UnsafeMutableRawBufferPointer) -> ReceiveOutcome {
    readAvailable(number, into: buffer)
  }

  package var isTerminal: Bool { Terminal.isTerminal(number) }

  /// Makes them what a program may rely on.
  ///
  /// The number of one that is closed is taken, so that no file opened later gets it; reading and
  /// writing still fail as they do where nothing is open. Writing what nobody reads ends the
  /// process, also where whoever started it had that signal ignored.
  package static func prepare() {
    Signal.restoreBrokenPipes()
    for stream in [StandardStream.input, .output, .error] where fcntl(stream.number, F_GETFD) < 0 {
      // The lowest free number is given, and those below are taken.
      _ = open("/dev/null", stream == .input ? O_WRONLY : O_RDONLY)
    }
  }
}

/// The terminal behind a descriptor.
package enum Terminal {
  /// How many characters a window shows.
  package struct Size: Equatable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
      self.columns = columns
      self.rows = rows
    }
  }

  package static func isTerminal(_ number: Int32) -> Bool {
    isatty(number) == 1
  }

  /// How many columns text for people may take: `$COLUMNS`, else those of the window that standard
  /// output shows in; nil where neither says.
  package static var columns: Int? {
    if let columns = Environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
    return size(of: StandardStream.output.number)?.columns
  }

  /// The window's size; nil when it is no terminal or does not know.
  package static func size(of number: Int32) -> Size? {
    var window = winsize()
    guard ioctl(number, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return nil }
    return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }

  /// Whether one of the standard streams is the terminal that this process belongs to.
  package static var isAtHand: Bool { (0...2).contains { foregroundGroup(of: $0) != nil } }

  /// The process group that the terminal's keys go to; nil when it is not our terminal.
  package static func foregroundGroup(of number: Int32) -> Int32? {
    let group = tcgetpgrp(number)
    return group > 0 ? group : nil
  }
}
