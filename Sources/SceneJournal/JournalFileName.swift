/// The names of a journal's files, and what they stand for.
enum JournalFileName: Hashable, Sendable {
  case base(UInt64)
  case log(UInt64)
  /// A file that was being prepared.
  case temporary(String)

  static let temporarySuffix = ".tmp"
  /// The name of the ballast, which holds nothing.
  static let ballast = "ballast"

  /// Nil if the name is none of the journal's: such files belong to others and are not looked at.
  init?(_ name: String) {
    if name.hasSuffix(Self.temporarySuffix) {
      guard JournalFileName(String(name.dropLast(Self.temporarySuffix.count))) != nil,
        name.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 1
      else { return nil }
      self = .temporary(name)
    } else if let number = Self.number(of: name, after: "base-") {
      self = .base(number)
    } else if let number = Self.number(of: name, after: "log-") {
      self = .log(number)
    } else {
      return nil
    }
  }

  var text: String {
    switch self {
    case .base(let number): "base-\(number)"
    case .log(let number): "log-\(number)"
    case .temporary(let name): name
    }
  }

  /// The name under which this file is prepared.
  var temporary: String { text + Self.temporarySuffix }

  /// Only numbers as this program writes them: `log-007` is none.
  private static func number(of name: String, after prefix: String) -> UInt64? {
    guard name.hasPrefix(prefix), let number = UInt64(name.dropFirst(prefix.count)),
      1..<JournalFormat.numberLimit ~= number, name == "\(prefix)\(number)"
    else { return nil }
    return number
  }
}
