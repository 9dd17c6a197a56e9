/// Ages and times for people.
enum Age {
  /// The age of a time in milliseconds since 1970, such as `2s`, `5m`, `3h` or `12d`; `-` for
  /// never.
  static func text(from then: Int64, to now: Int64) -> String {
    guard then > 0 else { return "-" }
    let seconds = max(0, now - then) / 1000
    return switch seconds {
    case ..<60: "\(seconds)s"
    case ..<3600: "\(seconds / 60)m"
    case ..<86400: "\(seconds / 3600)h"
    default: "\(seconds / 86400)d"
    }
  }

  /// Microseconds as seconds, such as `12.003456`.
  static func seconds(_ microseconds: Int64) -> String {
    let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let digits = String(rest)
    return "\(whole).\(String(repeating: "0", count: 6 - digits.count))\(digits)"
  }
}
