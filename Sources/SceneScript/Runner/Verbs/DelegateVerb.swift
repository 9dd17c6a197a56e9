import SceneCommandLine
import ScenePlatform

extension ScriptVerb {
  static let delegate = ScriptVerb("delegate NAME", .acts) { (call) throws(ScriptError) in
    guard call.words.count == 1, let name = call.texts.first else { throw call.usageError() }
    guard name.isPlainName else {
      throw call.error(
        "invalid delegate name \"\(PlainText.escaped(name))\": \(String.plainNameRule)", at: 0)
    }
    return { (environment) throws(StepFailure) in try environment.startDelegate(name) }
  }
}

extension ScriptEnvironment {
  /// Starts `scenectl delegate --by-rule`, and waits until the broker has accepted or refused it.
  package func startDelegate(_ name: String) throws(StepFailure) {
    _ = try liveBroker()
    if let client = clients.first(where: { $0.name == name }), client.isAlive {
      throw .unrunnable("a client \(name) is already running; use another name")
    }
    let log = "\(directory)/\(name).stderr"
    let client = try step(
      spawnClient(name, "scenectl", ["--json", "delegate", "--by-rule"], log: log))
    add(delegate: client)
    while SystemClock.monotonic() < deadline, !client.hasClosedOutput {
      if case .state("connected")? = client.nextOutput(until: deadline) { return }
    }
    guard client.hasClosedOutput, let end = client.process.waitForEnd(until: deadline) else {
      throw .unrunnable("the broker did not accept the delegate \(name)")
    }
    throw .mismatch("\(name) \(end.phrase)\(lastLines(in: log))", reason: end.reason)
  }
}
