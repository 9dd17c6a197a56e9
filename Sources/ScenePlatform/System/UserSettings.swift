import Synchronization

/// The settings file of the user: values of variables that the environment does not set.
///
/// Each line is `NAME = VALUE`; a line that begins with `#` is a comment. A missing file sets
/// nothing.
package enum UserSettings {
  /// The names in the file and their variables.
  package static let names: KeyValuePairs<String, String> = [
    "application": "SCENE_APPLICATION", "autostart": "SCENE_AUTOSTART", "opener": "SCENE_OPENER",
    "environment": "SCENE_ENVIRONMENT", "on-hangup": "SCENE_ON_HANGUP",
    "on-activate": "SCENE_RAISE",
  ]

  /// The variable with the path of another file. The empty path stands for no file.
  package static let variable = "SCENE_CONFIG"

  private static let values = Mutex<[String: String]>([:])

  static func value(of variable: String) -> String? { values.withLock { $0[variable] } }

  static var all: [String: String] { values.withLock { $0 } }

  /// Reads the file. A program calls this once, before it uses a variable or declares an option. A
  /// wrong file must not take the help away.
  package static func load() -> Result<Void, EnvironmentError> {
    guard let path, !path.isEmpty, path != "/dev/null" else { return .success(()) }
    return Result { () throws(EnvironmentError) in
      let text: String
      do throws(SystemError) {
        text = String(decoding: try File.readRegular(path, limit: 1 << 16), as: UTF8.self)
      } catch {
        if error.isNotFound { return }
        throw .settings(path, error.note ?? "\(error.code)")
      }
      let settings = try parse(text, path)
      values.withLock { $0 = settings }
    }
  }

  private static var path: String? {
    if let path = Environment[variable] { return path }
    let directory = Environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (directory ?? User.home.map { $0 + "/.config" }).map { $0 + "/scenebroker/config" }
  }

  /// The variables of the file.
  static func parse(_ text: String, _ path: String) throws(EnvironmentError) -> [String: String] {
    var settings: [String: String] = [:]
    // A line break with a carriage return is one character.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let line = line.trimmed
      if line.isEmpty || line.hasPrefix("#") { continue }
      let place = "\(path), line \(index + 1)"
      guard let sign = line.firstIndex(of: "=") else {
        throw .settings(place, "expected NAME = VALUE, found \"\(line)\"")
      }
      let name = line[..<sign].trimmed
      guard let variable = names.first(where: { $0.key == name })?.value else {
        throw .settings(
          place,
          "there is no setting \"\(name)\"; the settings are "
            + names.map(\.key).joined(separator: ", "))
      }
      let value = line[line.index(after: sign)...].trimmed
      settings[variable] =
        switch name {
        case "autostart": try number(value, place)
        case "application": try application(value, place)
        default: value
        }
    }
    return settings
  }

  private static func application(
    _ value: String, _ place: String
  ) throws(EnvironmentError) -> String {
    do throws(EnvironmentError) {
      _ = try ApplicationName(value)
      return value
    } catch {
      throw .settings(place, "\(error)")
    }
  }

  private static func number(
    _ value: String, _ place: String
  ) throws(EnvironmentError) -> String {
    switch value {
    case "yes", "true", "1": return "1"
    case "no", "false", "0": return "0"
    default: throw .settings(place, "autostart: expected yes or no, found \"\(value)\"")
    }
  }
}

extension StringProtocol {
  /// The text without whitespace at its ends.
  package var trimmed: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
