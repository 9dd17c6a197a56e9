/// The texts that most sessions have in common, so that they are in memory once.
struct SharedTexts: Sendable {
  private var configuration = ""
  private var delegateClass: String?
  private var maker = ""

  /// Replaces texts by equal ones of the previous session, and remembers the others.
  mutating func share(_ attributes: inout SessionAttributes) {
    Self.share(&attributes.configuration.name, with: &configuration)
    Self.share(&attributes.configuration.delegateClass, with: &delegateClass)
    Self.share(&attributes.maker, with: &maker)
  }

  @inline(__always)
  private static func share<Text: Equatable>(_ text: inout Text, with previous: inout Text) {
    if text == previous { text = previous } else { previous = text }
  }
}
