package import SceneModel

extension Initialize.Reply {
  /// Why this is the wrong broker for `expected`; nil if it is the right one, or if no application
  /// was named.
  ///
  /// A client must check it where only a path names the socket: the broker of another application
  /// may listen there.
  package func complaint(aboutApplication expected: String?) -> String? {
    guard let expected, application.name != expected else { return nil }
    return "the broker serves the application \(application.name), not \(expected)"
  }
}
