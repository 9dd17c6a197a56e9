/// The fields of `/proc/PID/stat` that this module uses.
package struct ProcessRecord: Equatable, Sendable {
  /// The letter of its state: `R` running, `S` sleeping, `Z` zombie, `X` dead, …
  package var state: UInt8
  /// The current parent.
  package var parent: Int32 = 0
  /// The number of its process group.
  package var group: Int32 = 0
  /// The kernel's flags of the task.
  package var flags: UInt64
  /// The CPU time of all its threads, in clock ticks.
  package var cpuTicks: UInt64 = 0
  package var threads: Int
  /// The start time in clock ticks since boot.
  package var startTime: UInt64
  /// The pages of its resident memory.
  package var residentPages: UInt64 = 0
  /// The status for its parent; 0 for a running process, and for one of another user.
  package var exitCode: Int32 = 0
}

extension ProcessRecord {
  /// Parses the line of the file; nil if the format is unexpected.
  ///
  /// The second field is the program's name in parentheses, which may contain spaces, parentheses
  /// and line breaks. So the parser starts after the last closing parenthesis.
  package init?(parsing line: some BidirectionalCollection<UInt8>) {
    guard let name = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    // The first of these fields has the number 3.
    let fields = String(decoding: line[line.index(after: name)...], as: UTF8.self)
      .utf8.split(maxSplits: 50) { $0 == 0x20 || $0 == 0x0A }
    let numbers = [4, 5, 9, 14, 15, 20, 22, 24].compactMap { number in
      fields.count > 21 ? UInt64(String(Substring(fields[number - 3]))) : nil
    }
    guard numbers.count == 8, fields[0].count == 1, let state = fields[0].first else { return nil }
    self.init(
      state: state, parent: Int32(clamping: numbers[0]), group: Int32(clamping: numbers[1]),
      flags: numbers[2], cpuTicks: numbers[3] &+ numbers[4], threads: Int(clamping: numbers[5]),
      startTime: numbers[6], residentPages: numbers[7],
      exitCode: fields.count > 49 ? Int32(String(Substring(fields[49]))) ?? 0 : 0)
  }

  /// The task runs no more code of its program: it is exiting or a zombie.
  package var isExiting: Bool {
    let exitingFlag: UInt64 = 0x4
    return flags & exitingFlag != 0 || state == UInt8(ascii: "Z") || state == UInt8(ascii: "X")
  }
}

/// The pending signals of a task, from `/proc/PID/status`.
package struct PendingSignals: Equatable, Sendable {
  /// Bit n−1 stands for signal n. Includes the signals of the task and of the process.
  package var mask: UInt64

  /// Parses the lines `SigPnd:` and `ShdPnd:`.
  package init(parsing status: some Collection<UInt8>) {
    mask = ["SigPnd", "ShdPnd"].reduce(0) { mask, name in
      mask | (statusValue(name, in: status).flatMap { UInt64($0, radix: 16) } ?? 0)
    }
  }

  package func contains(_ signal: Signal) -> Bool {
    signal.rawValue > 0 && signal.rawValue <= 64 && mask & (1 << UInt64(signal.rawValue - 1)) != 0
  }
}

/// The value of a line `name: value` of a file in `/proc`; nil if there is none.
func statusValue(_ name: String, in status: some Collection<UInt8>) -> String? {
  let label = "\(name):".utf8
  let line = status.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: label) }
  return line.map { line in
    let value = line.dropFirst(label.count).drop { $0 == 0x09 || $0 == 0x20 }
    return String(decoding: value, as: UTF8.self)
  }
}
