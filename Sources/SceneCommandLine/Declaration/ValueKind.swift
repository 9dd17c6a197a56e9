/// The syntax of a value, and its completion in a shell.
package enum ValueKind: Equatable, Sendable {
  case text
  /// Any text except the empty text.
  case name
  /// An integer within these bounds.
  case integer(ClosedRange<Int>)
  /// A number of seconds or with units, such as `10`, `500ms` or `1m30s`.
  case duration
  case choice([String])
  case file
  case directory
  /// Any text except the empty text. The output lines of this command are the completions, and the
  /// words of `also`. The command receives the given options of the list `with`.
  case listed(by: String, with: [String] = [], also: [String] = [])
  /// Any text. These are the completions.
  case suggested([String])
}

extension ValueKind {
  /// The problem with a value, or nil.
  package func complaint(about value: String) -> String? {
    switch self {
    case .text, .suggested:
      nil
    case .file, .directory:
      value.isEmpty ? "the path is empty; give a path, or omit it" : nil
    case .name, .listed:
      value.isEmpty ? "the name is empty" : nil
    case .integer(let range):
      Int(value).map(range.contains) == true
        ? nil : "\"\(value)\" is not \(ValueKind.wording(of: range))"
    case .duration:
      TimeSpan.complaint(about: value)
    case .choice(let choices):
      choices.contains(value)
        ? nil
        : "\"\(value)\" is not one of \(choices.joined(separator: ", "))"
          + suggestion(for: value, among: choices)
    }
  }

  private static func wording(of range: ClosedRange<Int>) -> String {
    switch (range.lowerBound, range.upperBound) {
    case (Int.min, Int.max): "a whole number"
    case (let low, Int.max): "a whole number of at least \(low)"
    case (let low, let high): "a whole number from \(low) to \(high)"
    }
  }
}

/// Parses durations.
package enum TimeSpan {
  /// Parses `10s`, `500ms`, `2m`, `1.5h` or a sequence of them, in nanoseconds; nil if the syntax
  /// is wrong or the duration is too long.
  ///
  /// A single number without a unit is in seconds.
  package static func nanoseconds(_ text: String) -> Int64? {
    // 64 bits fit 292 years.
    total(text).flatMap { $0 < 0x1p63 ? Int64($0.rounded()) : nil }
  }

  static func complaint(about text: String) -> String? {
    if nanoseconds(text) != nil { return nil }
    if text.hasPrefix("-"), total(String(text.dropFirst())) != nil {
      return "\"\(text)\" is negative; use a time such as 10s"
    }
    return total(text) == nil
      ? "\"\(text)\" is not a time such as 10s, 500ms or 2m"
      : "\"\(text)\" is too long; the longest time is 292 years"
  }

  private static func total(_ text: String) -> Double? {
    if text.utf8.allSatisfy(isDigit), let seconds = Double(text) { return seconds * 1e9 }
    var rest = text.utf8[...]
    var total = 0.0
    if rest.isEmpty { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { isDigit($0) || $0 == UInt8(ascii: ".") }
      let unit = rest[digits.endIndex...].prefix { !isDigit($0) && $0 != UInt8(ascii: ".") }
      guard let first = digits.first, isDigit(first), let last = digits.last, isDigit(last),
        let number = Double(String(Substring(digits))),
        let size = units.first(where: { $0.name == String(Substring(unit)) })?.nanoseconds
      else { return nil }
      total += number * size
      rest = rest[unit.endIndex...]
    }
    return total
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static var units: [(name: String, nanoseconds: Double)] {
    [
      ("ns", 1), ("us", 1e3), ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("min", 60e9), ("h", 3600e9),
      ("d", 86400e9),
    ]
  }
}
