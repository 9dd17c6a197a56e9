import SceneCommandLine
import SceneModel
import ScenePlatform

extension ScriptVerb {
  static let broker = ScriptVerb("broker start|stop|kill|restart [OPTION]…", .acts) {
    (call) throws(ScriptError) in
    let options = Array(call.texts.dropFirst())
    switch (call.texts.first, options.isEmpty) {
    case ("start", _):
      return { (environment) throws(StepFailure) in try environment.startBroker(options) }
    case ("restart", _):
      return { (environment) throws(StepFailure) in
        try environment.stopBroker()
        try environment.startBroker(options.isEmpty ? environment.brokerOptions : options)
      }
    case ("stop", true):
      return { (environment) throws(StepFailure) in try environment.stopBroker() }
    case ("kill", _): return try killing(call, options)
    default:
      throw call.usageError(at: 0, among: ["start", "stop", "kill", "restart"])
    }
  }

  /// `broker kill`, at once or at a fault point.
  private static func killing(_ call: Call, _ words: [String]) throws(ScriptError) -> Action {
    let usage = "usage: broker kill [-SIGNAL], or broker kill --before|--after POINT"
    guard let word = words.first else {
      return { (environment) throws(StepFailure) in try environment.killBroker(.kill) }
    }
    if word == "--before" || word == "--after" {
      guard words.count == 2, FaultPoint(rawValue: words[1]) != nil else {
        let hint = suggestion(
          for: words.dropFirst().first ?? "", among: FaultPoint.allCases.map(\.rawValue))
        throw call.error(
          "expected one point: \(FaultPoint.expectation)\(hint)", at: words.count > 1 ? 2 : 1)
      }
      return { (environment) throws(StepFailure) in
        try environment.runControlVerb(["fault"] + words)
      }
    }
    guard words.count == 1, word.hasPrefix("-"), !word.hasPrefix("--") else {
      throw call.error(usage + suggestion(for: word, among: ["--before", "--after"]), at: 1)
    }
    let signal = try call.signal(in: word, at: 1)
    if let problem = signal.complaintAboutKilling {
      // A stopped broker answers no request, so the advice about freeze and thaw does not apply.
      throw call.error(String(problem.prefix { $0 != ";" }), at: 1)
    }
    return { (environment) throws(StepFailure) in try environment.killBroker(signal) }
  }
}
