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
    case ("kill", true):
      return { (stage) throws(StepFailure) in try stage.killBroker() }
    default:
      throw call.misuse(at: call.words.isEmpty ? nil : 0)
    }
  }
}
