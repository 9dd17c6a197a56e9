import SceneModel

extension SceneApplication {
  /// For tests: runs `body` when all earlier requests have a reply, or can have none.
  package func afterWhatWasAsked(_ body: @escaping @Sendable () -> Void) {
    guard let client = try? self.client else { return body() }
    client.request(SessionList(limit: 1)) { _ in body() }
  }
}
