/// The style of a text on a terminal.
package enum Style: Sendable {
  case plain, heading, good, faint, bad
  /// A process that other processes wait for.
  case waiting
  /// The selected line of a list.
  case selected

  package func applied(to text: String) -> String {
    switch self {
    case .plain: text
    case .heading: "\u{1B}[1m\(text)\u{1B}[0m"
    case .good: "\u{1B}[32m\(text)\u{1B}[0m"
    case .faint: "\u{1B}[2m\(text)\u{1B}[0m"
    case .bad: "\u{1B}[31m\(text)\u{1B}[0m"
    case .waiting: "\u{1B}[33m\(text)\u{1B}[0m"
    case .selected: "\u{1B}[7m\(text)\u{1B}[0m"
    }
  }
}
