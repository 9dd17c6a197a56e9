import SceneModel

extension SceneApplication {
  /// For tests: tells when all that was asked of the broker up to now is answered, or can not be
  /// any more.
  package func afterWhatWasAsked(_ body: @escaping @Sendable () -> Void) {
    do throws(SceneError) {
      try client.request(.list(SessionList(limit: 1))) { _ in body() }
    } catch {
      body()
    }
  }
}
