import SceneCommandLine
import ScenePlatform

extension ScriptVerb {
  static let delegate = ScriptVerb("delegate NAME", .acts) { (call) throws(ScriptError) in
    _ = try call.onlyWord()
    let name = try call.newName(of: "delegate")
    return { (environment) throws(StepFailure) in try environment.startDelegate(name) }
  }
}

extension ScriptEnvironment {
  /// Starts `scenectl delegate --by-rule`, and waits until the broker has accepted or refused it.
  package func startDelegate(_ name: String) throws(StepFailure) {
    try checkIsFree(name)
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
