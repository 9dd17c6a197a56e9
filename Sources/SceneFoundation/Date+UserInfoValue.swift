public import Foundation
public import SceneClient

/// A date as the number of seconds since 1970, such as `1600000000.25`.
///
/// The text has nanoseconds. Except near the year 2001, a date is less exact, so it comes back
/// equal.
extension Date: UserInfoValue {
  /// Reads a number of seconds since 1970; nil for another value.
  ///
  /// - Parameter jsonText: a JSON number.
  public init?(jsonText: String) {
    if let nanoseconds = Self.nanoseconds(in: jsonText) {
      let since2001 = nanoseconds - Self.secondsTo2001 * Self.nanosecondsPerSecond
      let (seconds, rest) = since2001.quotientAndRemainder(dividingBy: Self.nanosecondsPerSecond)
      self.init(timeIntervalSinceReferenceDate: Double(seconds) + Double(rest) / 1e9)
    } else {
      guard let seconds = Double(jsonText: jsonText) else { return nil }
      self.init(timeIntervalSince1970: seconds)
    }
  }

  /// The seconds since 1970 as JSON. Infinity and NaN become null, because JSON has no number for
  /// them.
  public var jsonText: String {
    let interval = timeIntervalSinceReferenceDate
    // Beyond this range, nanoseconds have no meaning.
    guard abs(interval) < 1e15 else { return timeIntervalSince1970.jsonText }
    let seconds = interval.rounded(.towardZero)
    let rest = Int128(((interval - seconds) * 1e9).rounded())
    let total = (Int128(seconds) + Self.secondsTo2001) * Self.nanosecondsPerSecond + rest
    let (whole, part) = total.magnitude.quotientAndRemainder(
      dividingBy: Self.nanosecondsPerSecond.magnitude)
    var fraction = String(String(part + Self.nanosecondsPerSecond.magnitude).dropFirst())
    while fraction.last == "0" { fraction.removeLast() }
    return (total < 0 ? "-" : "") + "\(whole)" + (fraction.isEmpty ? "" : "." + fraction)
  }

  private static let nanosecondsPerSecond: Int128 = 1_000_000_000
  private static let secondsTo2001: Int128 = 978_307_200

  /// The value of a number with at most 15 digits and 9 digits after the point; nil for other text.
  private static func nanoseconds(in text: String) -> Int128? {
    guard let match = text.wholeMatch(of: /(-?)(\d{1,15})(?:\.(\d{1,9}))?/),
      let seconds = Int128(match.2)
    else { return nil }
    let fraction = match.3.map(String.init) ?? ""
    let padding = String(repeating: "0", count: 9 - fraction.count)
    let nanoseconds = seconds * nanosecondsPerSecond + (Int128(fraction + padding) ?? 0)
    return match.1.isEmpty ? nanoseconds : -nanoseconds
  }
}
