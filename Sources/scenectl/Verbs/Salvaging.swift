import CommandLine
import JSON
import SceneJournal
import SceneModel
import ScenePlatform

extension Errand {
  func salvage(_ directory: String) throws(Failure) -> ExitCode {
    let target = try salvageTarget(for: directory)
    // Held to the end, so that no broker starts meanwhile.
    let lock = try StateLock(of: directory)
    if case .taken = lock {
      throw Failure(
        .tryAgain,
        "a broker is running on \(directory): its journal is not damaged so far\n"
          + "If it is to be salvaged all the same, end the broker first: scenectl shutdown")
    }
    let result = try salvaged(directory)
    let isWorthwhile = !result.isDamaged || !result.content.state.sessions.isEmpty
    if isWorthwhile { try write(result.content.state, into: target) }
    if printsJSON {
      console.print(result.json(from: directory, into: isWorthwhile ? target : nil))
      return isWorthwhile ? .yes : .badData
    }
    guard isWorthwhile else {
      throw Failure(
        .badData,
        (["nothing could be saved from \(directory)"] + result.lossLines(in: directory))
          .joined(separator: "\n"))
    }
    for line in result.lines(from: directory, into: target) { console.print(line) }
    var scened = "scened"
    if invocation.has("application"), let name = invocation.value("application") {
      scened += " -a \(name)"
    }
    let (old, new) = (directory.shellWord, target.shellWord)
    console.print("Start a broker on it with: \(scened) --state \(new)")
    console.print(
      "Or put it in the old one's place: mv \(old) \("\(directory)-damaged".shellWord) && "
        + "mv \(new) \(old)")
    return .yes
  }

  /// The directory of `--into`, if something can be made there without touching the damaged one.
  private func salvageTarget(for directory: String) throws(Failure) -> String {
    guard let target = invocation.value("into") else {
      throw usageFailure("--into is missing: name a new directory for what can be saved")
    }
    do throws(SystemError) {
      guard File.exists(target) || File.exists(directory) else { return target }
      let parent = Directory.parent(of: target) ?? "."
      if File.exists(parent), File.exists(directory),
        try FileStatus(of: parent).identity == FileStatus(of: directory).identity
      {
        throw SystemError(call: "mkdir", path: target, code: .invalidArgument, note: nil)
      }
    } catch {
      throw Failure(ExitCode(for: error), error.description)
    }
    return target
  }
}
