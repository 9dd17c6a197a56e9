/// The name of a journal file.
enum JournalFileName: Hashable, Sendable {
  case checkpoint(UInt64)
  case log(UInt64)
  /// A file in preparation.
  case temporary(String)

  static let temporarySuffix = ".tmp"
  /// The name of the ballast file, which contains no records.
  static let ballast = "ballast"

  /// Nil if the name does not belong to the journal; the journal ignores such files.
  init?(_ name: String) {
    if name.hasSuffix(Self.temporarySuffix) {
      guard JournalFileName(String(name.dropLast(Self.temporarySuffix.count))) != nil,
        name.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 1
      else { return nil }
      self = .temporary(name)
    } else if let number = Self.number(of: name, after: "base-") {
      self = .checkpoint(number)
    } else if let number = Self.number(of: name, after: "log-") {
      self = .log(number)
    } else {
      return nil
    }
  }

  var text: String {
    switch self {
    case .checkpoint(let number): "base-\(number)"
    case .log(let number): "log-\(number)"
    case .temporary(let name): name
    }
  }

  /// The name of this file during its preparation.
  var temporary: String { text + Self.temporarySuffix }

  /// Accepts only canonical numbers: `log-007` is invalid.
  private static func number(of name: String, after prefix: String) -> UInt64? {
    guard name.hasPrefix(prefix), let number = UInt64(name.dropFirst(prefix.count)),
      1..<JournalFormat.numberLimit ~= number, name == "\(prefix)\(number)"
    else { return nil }
    return number
  }
}
