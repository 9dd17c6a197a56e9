public import SceneClient
import SceneModel
import ScenePlatform
import SceneScript

extension TestBroker {
  /// Makes an application in the test's own process, and connects it.
  ///
  /// It is stopped with the broker. What its delegates do when they are called is over when
  /// something that was asked of the broker returns; tasks that they start are their own.
  ///
  /// - Parameters:
  ///   - name: what the program is called.
  ///   - delegates: how scenes are made, as for `SceneApplication`.
  ///   - request: which session's scene it asks for; nil for none.
  ///   - file: whose failure it is.
  ///   - line: where in the file.
  /// - Returns: The application, which runs.
  /// - Throws: ``TestFailure`` with what the broker would not.
  public func application(
    _ name: String, delegates: [String: SceneApplication.DelegateFactory],
    request: SceneRequest? = SceneRequest(), file: StaticString = #filePath, line: UInt = #line
  ) async throws(TestFailure) -> SceneApplication {
    let place = TestPlace(file, line)
    let application = SceneApplication(name: name, delegates: delegates, socket: socket)
    add(application)
    do throws(SceneError) {
      try application.start()
      if let request { try await application.connectScene(request) }
    } catch {
      throw TestFailure(
        "\(name): \(error.message)", reason: error.code.rawValue, timeline: lastRows(), place)
    }
    try act(place) { _ in }
    return application
  }
}
