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
}

extension ProcessRecord {
  /// Parses the line of the file; nil if the format is unexpected.
  ///
  /// The second field is the program's name in parentheses, which may contain spaces, parentheses
  /// and line breaks. So the parser starts after the last closing parenthesis.
  package init?(parsing line: some BidirectionalCollection<UInt8>) {
    guard let name = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    self.init(state: 0, parent: 0, group: 0, flags: 0, threads: 0, startTime: 0)
    // The broker parses a record for each new client, so this code allocates no array.
    var rest = line[line.index(after: name)...].drop(while: isSpace)
    for number in 3...24 {
      let field = rest.prefix { !isSpace($0) }
      switch number {
      case 3:
        guard field.count == 1, let letter = field.first else { return nil }
        state = letter
      case 4, 5, 9, 14, 15, 20, 22, 24:
        guard let value = decimal(field) else { return nil }
        take(value, as: number)
      default:
        if field.isEmpty { return nil }
      }
      rest = rest[field.endIndex...].drop(while: isSpace)
    }
  }

  private mutating func take(_ value: UInt64, as field: Int) {
    switch field {
    case 4: parent = Int32(clamping: value)
    case 5: group = Int32(clamping: value)
    case 9: flags = value
    case 14, 15: cpuTicks &+= value
    case 20: threads = Int(clamping: value)
    case 22: startTime = value
    default: residentPages = value
    }
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

private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A }

private func decimal(_ digits: some Collection<UInt8>) -> UInt64? {
  if digits.isEmpty { return nil }
  var value: UInt64 = 0
  for digit in digits {
    guard digit >= 0x30, digit <= 0x39 else { return nil }
    let (tenfold, tooLarge) = value.multipliedReportingOverflow(by: 10)
    let (sum, overflow) = tenfold.addingReportingOverflow(UInt64(digit - 0x30))
    if tooLarge || overflow { return nil }
    value = sum
  }
  return value
}
