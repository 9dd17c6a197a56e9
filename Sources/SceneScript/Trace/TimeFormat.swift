/// Formats times for people.
enum TimeFormat {
  /// Microseconds as seconds, such as `12.003`.
  static func seconds(_ microseconds: Int64) -> String {
    let milliseconds = microseconds / 1000
    return "\(milliseconds / 1000).\(padded(milliseconds % 1000, 3))"
  }

  /// A duration in microseconds, such as `12.003 s`, `5 min 3 s` or `2 h 10 min`.
  static func length(_ microseconds: Int64) -> String {
    let seconds = microseconds / 1_000_000
    return switch seconds {
    case ..<60: "\(self.seconds(microseconds)) s"
    case ..<3600: "\(seconds / 60) min \(seconds % 60) s"
    default: "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    }
  }

  /// Milliseconds since 1970 as a date and a time of day in UTC.
  static func date(_ milliseconds: Int64) -> String {
    let seconds = max(0, milliseconds) / 1000
    let (year, month, day) = civil(dayNumber: seconds / 86400)
    let time = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
    return "\(year)-\(padded(month, 2))-\(padded(day, 2)) \(time.joined(separator: ":")) UTC"
  }

  /// The date of a day, counted from 1970-01-01. Years begin in March here, so that the leap day is
  /// the last day.
  private static func civil(dayNumber: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let days = dayNumber + 719_468
    let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }

  private static func padded(_ number: Int64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
