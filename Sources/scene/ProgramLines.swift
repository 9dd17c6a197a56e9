/// Lines for people about a scene that is a program: what they cannot see from that.
struct ProgramLines: Telling {
  var text: TextLines

  func lines(for happening: Happening) -> [String] {
    switch happening {
    case .callback, .replied, .hanging, .posted, .gap, .noticed, .resumed,
      .failed(.activity, _, _):
      []
    case .failed, .unanswered, .waiting, .connected, .idle, .ended:
      text.lines(for: happening).map { "scene: " + $0 }
    }
  }
}
