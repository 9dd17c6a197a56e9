import CommandLine
import ScenePlatform
import SceneScript

extension ControlVerbs {
  /// Runs `scenectl` in a process for each verb.
  static func program(_ path: String) -> ControlVerbs {
    ControlVerbs(verbs: [], usageProblem: { _ in nil }) { words, environment in
      do throws(SystemError) {
        return try outcome(path, words, environment)
      } catch {
        return Outcome(code: 74, output: "", errors: error.description, reason: nil)
      }
    }
  }

  private static func outcome(
    _ path: String, _ words: [String], _ environment: ScriptEnvironment
  ) throws(SystemError) -> Outcome {
    let pipes = try ProcessPipes()
    let process = try environment.spawn(path, words, descriptors: pipes.childEnds)
    let (input, output, errors) = try pipes.takeParentEnds()
    input.close()
    let end = process.waitForEnd(until: environment.deadline)
    process.killAndWait()
    output.waitForEnd(until: environment.deadline)
    errors.waitForEnd(until: environment.deadline)
    let code = end?.shellCode ?? ExitCode.timedOut.rawValue
    let timeout = end == nil ? "scenectl \(words.joined(separator: " ")) did not exit\n" : ""
    return Outcome(
      code: code, output: output.text, errors: timeout + errors.text,
      reason: ExitCode(rawValue: code)?.reason)
  }
}
