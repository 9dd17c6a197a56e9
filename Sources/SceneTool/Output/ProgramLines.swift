import SceneCommandLine
import SceneModel
import ScenePlatform

/// Lines for a terminal about a hosted program: only what the program itself does not show.
struct ProgramLines: OutputFormatter {
  var text: TextLines

  func lines(for event: SceneEvent) -> [String] {
    switch event {
    case .callback(let callback, _, _) where callback.kind == .willConnect:
      (callback.message as? WillConnect).map(advice) ?? []
    case .callback, .replied, .hanging, .explained, .posted, .gap, .noticed, .resumed,
      .failed(.activity, _, _):
      []
    case .postponed, .failed, .unanswered, .waiting, .connected, .idle, .exchanged, .ended:
      text.lines(for: event).map { "scene: " + $0 }
    }
  }

  /// Warns about a missing configuration and a withheld activity.
  private func advice(_ message: WillConnect) -> [String] {
    var lines: [String] = []
    if let missing = message.missingConfiguration {
      let configuration = message.sceneSession.configuration.name
      lines.append(
        "scene: there is no configuration \(PlainText.word(missing)); the scene uses "
          + "\(PlainText.word(configuration))")
    }
    guard let withheld = message.withheld else { return lines }
    let name = message.sceneSession.name.map(\.printable.shellWord) ?? message.session.short
    return lines + [
      "scene: the broker withheld the saved activity: \(withheld.reason.rawValue.printable)",
      "Restore the activity with: scenectl restore \(name)",
    ]
  }
}
