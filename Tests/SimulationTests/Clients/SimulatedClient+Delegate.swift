import SceneJSON
import SceneModel
import SceneWire

/// A client that is the application delegate.
extension SimulatedClient {
  func takeQuestion(_ number: Int64, _ callback: Callback) {
    if kind != .applicationDelegate { complain("\(callback.kind) for a \(kind)") }
    let isLaunch = callback.kind == .willFinishLaunching
    if isLaunch == hasLaunched { complain("\(callback.kind) at the wrong time") }
    hasLaunched = true
    questions.append((number, callback))
    if isMute || dice.happens(behavior.neverAnswers) || dice.happens(behavior.answersLate) {
      return
    }
    answerQuestions()
  }

  /// Answers all open callbacks, rightly or wrongly.
  func answerQuestions() {
    guard let wire else { return }
    let asked = questions
    questions = []
    for (number, callback) in asked {
      var writer = FrameWriter()
      let identifier = RequestIdentifier.number(number)
      if dice.happens(behavior.refuses) {
        writer.failure(identifier, code: -32601, message: "no")
      } else if dice.happens(behavior.answersWrongly) {
        writer.answer(identifier, Int64(5))
      } else {
        answer(callback, identifier, &writer)
      }
      note("answers \(callback.kind), number \(number)")
      wire.say(writer.take())
    }
  }

  private func answer(
    _ callback: Callback, _ identifier: RequestIdentifier, _ writer: inout FrameWriter
  ) {
    switch callback.message {
    case is DidFinishLaunching:
      writer.answer(identifier, DidFinishLaunching.Answer(accepted: !dice.once(in: 3)))
    case let question as ConfigurationForConnecting:
      writer.answer(identifier, choice(for: question))
    default: writer.answer(identifier, Empty())
    }
  }

  private func choice(
    for question: ConfigurationForConnecting
  ) -> ConfigurationForConnecting.Answer {
    let userInfo = dice.once(in: 3) ? world.makeObject(dice) : nil
    let description = ConfigurationDescription(
      name: dice.pick(["Own", "Inspector"]), role: dice.once(in: 4) ? .windowApplication : nil,
      storyboard: "Own")
    let configuration: ConfigurationChoice? = dice.pick([
      nil, .named(question.sceneSession.configuration.name), .named("Inspector"),
      .named("Display"), .described(description),
    ])
    return ConfigurationForConnecting.Answer(configuration: configuration, userInfo: userInfo)
  }
}
