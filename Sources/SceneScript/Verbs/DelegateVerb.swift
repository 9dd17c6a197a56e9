import CommandLine
import ScenePlatform

extension ScriptVerb {
  static let delegate = ScriptVerb("delegate NAME", .acts) { (call) throws(ScriptFlaw) in
    guard call.words.count == 1, let name = call.texts.first else { throw call.misuse() }
    guard name.isPlainName else {
      throw call.flaw(
        "a delegate cannot be called \(PlainText.word(name)): \(String.plainNameRule)", at: 0)
    }
    return { (stage) throws(StepFailure) in try stage.startDelegate(name) }
  }
}

extension Stage {
  /// Starts an application delegate: a real `scenectl delegate`, which answers by rule. Returns when
  /// the broker has let it in, or would not.
  package func startDelegate(_ name: String) throws(StepFailure) {
    _ = try liveBroker()
    if let player = allPlayers.first(where: { $0.name == name }), player.isAlive {
      throw .broken("there is a client \(name) already; give this one another name")
    }
    let log = "\(directory)/\(name).stderr"
    let player = try step { () throws(SystemError) in
      try spawnPlayer(name, "scenectl", ["--json", "delegate", "--by-rule"], log: log)
    }
    add(delegate: player)
    while SystemClock.monotonic() < deadline, !player.isSilent {
      if case .state("connected")? = player.hear(until: deadline) { return }
    }
    guard player.isSilent, let end = player.process.waitForEnd(until: deadline) else {
      throw .broken("\(name) is not let in")
    }
    throw .no("\(name) has \(end.told)\(lastWords(in: log))", reason: end.reason)
  }
}
