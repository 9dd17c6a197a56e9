/// The valid names of sessions.
package enum SessionName {
  /// The problem of a name; nil for a valid name.
  ///
  /// A condition can begin with a name, as in `packing background title=x`, so a name must not look
  /// like another part of a condition.
  package static func problem(with name: String) -> String? {
    let scalars = name.unicodeScalars
    if scalars.allSatisfy(\.properties.isWhitespace) {
      return "must not be blank; omit the name or choose another"
    }
    if scalars.contains(where: { $0.properties.generalCategory == .control }) {
      return "must not contain a control character"
    }
    let other: String? =
      if name == "application" {
        "must not be `application`, which means the application itself in a condition"
      } else if name.hasPrefix("!") {
        "must not begin with `!`, which negates a condition"
      } else if name.hasPrefix("topic:") {
        "must not begin with `topic:`, which means a topic in a condition"
      } else if name.contains("=") {
        "must not contain `=`, which is for comparisons in a condition"
      } else {
        nil
      }
    return other.map { "\($0); choose another name" }
  }
}
