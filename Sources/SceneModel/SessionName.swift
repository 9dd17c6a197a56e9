/// What people and scripts may call a session.
package enum SessionName {
  /// Why no session can be called so; nil if one can.
  ///
  /// A name stands where a condition begins, such as `packing background title=x`, and must not
  /// read there as anything else.
  package static func problem(with name: String) -> String? {
    let scalars = name.unicodeScalars
    if scalars.allSatisfy(\.properties.isWhitespace) {
      return "is blank; leave it out, or give a name"
    }
    if scalars.contains(where: { $0.properties.generalCategory == .control }) {
      return "has a control character in it"
    }
    let other: String? =
      if name == "application" {
        "`application` is the application itself"
      } else if name.hasPrefix("!") {
        "`!` at the beginning turns a condition round"
      } else if name.hasPrefix("topic:") {
        "`topic:` at the beginning is kept for topics"
      } else if name.contains("=") {
        "`=` compares in a condition"
      } else {
        nil
      }
    return other.map { "\($0); choose another name" }
  }
}
