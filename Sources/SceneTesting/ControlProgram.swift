import SceneCommandLine
import SceneCommands
import ScenePlatform
import SceneScript

extension ControlVerbs {
  /// Runs the verbs of scripts in this process. Starts `scenectl` for other verbs, which can take
  /// signals or never end.
  static func scenectl(program path: String) -> ControlVerbs {
    let verbs = ControlVerbs.scenectl(readsInput: false)
    let names = Set(verbs.verbs.map(\.name))
    return ControlVerbs(verbs: verbs.verbs, usageProblem: verbs.usageProblem) {
      words, environment in
      if let name = words.first, names.contains(name) {
        var outcome = verbs.run(words, environment)
        // A verb has the same reason with and without a process of its own.
        outcome.reason = ExitCode(rawValue: outcome.code)?.reason
        return outcome
      }
      do throws(SystemError) {
        return try outcome(path, words, environment)
      } catch {
        return Outcome(
          code: ExitCode.inputOutput.rawValue, output: "", errors: error.description, reason: nil)
      }
    }
  }

  private static func outcome(
    _ path: String, _ words: [String], _ environment: ScriptEnvironment
  ) throws(SystemError) -> Outcome {
    let child = try PipedProcess { (descriptors) throws(SystemError) in
      try environment.spawn(path, words, descriptors: descriptors)
    }
    child.input.close()
    let end = child.process.waitForEnd(until: environment.deadline)
    child.process.killAndWait()
    child.output.waitForEnd(until: environment.deadline)
    child.errors.waitForEnd(until: environment.deadline)
    let code = end?.shellCode ?? ExitCode.timedOut.rawValue
    let timeout = end == nil ? "scenectl \(words.joined(separator: " ")) did not exit\n" : ""
    return Outcome(
      code: code, output: child.output.text, errors: timeout + child.errors.text,
      reason: ExitCode(rawValue: code)?.reason)
  }
}
