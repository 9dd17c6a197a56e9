/// A group of verbs, with a heading of the help page.
package struct VerbGroup: Sendable {
  package var heading: String
  package var verbs: [Command]

  package init(_ heading: String, _ verbs: [Command]) {
    self.heading = heading
    self.verbs = verbs
  }
}
