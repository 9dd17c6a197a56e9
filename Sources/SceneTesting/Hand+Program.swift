import CommandLine
import ScenePlatform
import SceneScript

extension Hand {
  /// `scenectl`, in a process for each thing that it is to do.
  static func program(_ path: String) -> Hand {
    Hand(verbs: [], complaint: { _ in nil }) { words, stage in
      do throws(SystemError) {
        return try outcome(path, words, stage)
      } catch {
        return Outcome(code: 74, output: "", errors: error.description, reason: nil)
      }
    }
  }

  private static func outcome(
    _ path: String, _ words: [String], _ stage: Stage
  ) throws(SystemError) -> Outcome {
    let pipes = try ProcessPipes()
    let process = try stage.spawn(path, words, descriptors: pipes.theirs)
    let (input, output, errors) = try pipes.ours()
    input.close()
    let end = process.waitForEnd(until: stage.deadline)
    process.finishOff()
    output.waitForEnd(until: stage.deadline)
    errors.waitForEnd(until: stage.deadline)
    let code = end?.shellCode ?? ExitCode.timedOut.rawValue
    let complaint = end == nil ? "scenectl \(words.joined(separator: " ")) does not end\n" : ""
    return Outcome(
      code: code, output: output.text, errors: complaint + errors.text,
      reason: ExitCode(rawValue: code).map { "\($0)" })
  }
}
