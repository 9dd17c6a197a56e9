import CommandLine
import SceneModel
import ScenePlatform

/// Lines for people about a scene that is a program: what they cannot see from that.
struct ProgramLines: Telling {
  var text: TextLines

  func lines(for happening: Happening) -> [String] {
    switch happening {
    case .callback(.willConnect(let message), _, isClassic: _): advice(message)
    case .callback, .replied, .hanging, .explained, .posted, .gap, .noticed, .resumed,
      .failed(.activity, _, _):
      []
    case .postponed, .failed, .unanswered, .waiting, .connected, .idle, .exchanged, .ended:
      text.lines(for: happening).map { "scene: " + $0 }
    }
  }

  /// A program does not show what its scene lacks.
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
      "scene: what it was at is withheld: \(withheld.reason.rawValue.printable)",
      "It is kept until it is given back by: scenectl restore \(name)",
    ]
  }
}
