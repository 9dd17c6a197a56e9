import CommandLine
import SceneModel
import ScenePlatform

extension ScriptVerb {
  /// `broker start`, and its end.
  static let broker = ScriptVerb("broker start|stop|kill|restart [OPTION]…", .acts) {
    (call) throws(ScriptFlaw) in
    let options = Array(call.texts.dropFirst())
    switch (call.texts.first, options.isEmpty) {
    case ("start", _):
      return { (stage) throws(StepFailure) in try stage.startBroker(options) }
    case ("restart", _):
      return { (stage) throws(StepFailure) in
        try stage.stopBroker()
        try stage.startBroker(options.isEmpty ? stage.brokerOptions : options)
      }
    case ("stop", true):
      return { (stage) throws(StepFailure) in try stage.stopBroker() }
    case ("kill", _):
      return try killing(call, options)
    default:
      throw call.misuse(at: 0, among: ["start", "stop", "kill", "restart"])
    }
  }

  /// Now, or at a point of its way.
  private static func killing(_ call: Call, _ words: [String]) throws(ScriptFlaw) -> Action {
    let usage = "expected broker kill [-SIGNAL], or broker kill --before|--after POINT"
    guard let word = words.first else {
      return { (stage) throws(StepFailure) in try stage.killBroker(.kill) }
    }
    if word == "--before" || word == "--after" {
      guard words.count == 2, FaultPoint(rawValue: words[1]) != nil else {
        let advice = suggestion(
          for: words.dropFirst().first ?? "", among: FaultPoint.allCases.map(\.rawValue))
        throw call.flaw(
          "expected one point: \(FaultPoint.expectation)\(advice)", at: words.count > 1 ? 2 : 1)
      }
      return { (stage) throws(StepFailure) in try stage.act(["fault"] + words) }
    }
    guard words.count == 1, word.hasPrefix("-"), !word.hasPrefix("--") else {
      throw call.flaw(usage + suggestion(for: word, among: ["--before", "--after"]), at: 1)
    }
    guard let signal = Signal(name: String(word.dropFirst())) else {
      throw call.flaw("no signal is called \(word.dropFirst())", at: 1)
    }
    if let complaint = signal.complaintAboutKilling {
      // Nobody could be asked anything then, so there is no line for it.
      let reason = complaint.prefix { $0 != ";" }
      throw call.flaw(String(reason), at: 1)
    }
    return { (stage) throws(StepFailure) in try stage.killBroker(signal) }
  }
}
