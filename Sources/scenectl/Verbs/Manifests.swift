import CommandLine
import JSON
import SceneControl
import SceneModel
import ScenePlatform

extension Errand {
  func manifest() throws(Failure) -> ExitCode {
    switch invocation.verbs.last {
    case "check": return try readByBroker(["--check"])
    case "show" where invocation.argument("FILE") != nil:
      return try readByBroker(["--check", "--print"])
    case "show": return try showManifest()
    default: return try tell(Reload())
    }
  }

  private func showManifest() throws(Failure) -> ExitCode {
    let json = try ask { broker throws(ControlError) in
      try broker.result(of: broker.post(ApplicationManifest()), until: deadline)
    }
    if printsJSON {
      console.print(json)
    } else {
      console.print(try read(ApplicationManifest.Reply.self, json).manifest.json)
    }
    return .yes
  }

  /// Lets `scened` read the file: it is who knows property lists.
  private func readByBroker(_ options: [String]) throws(Failure) -> ExitCode {
    guard let file = invocation.argument("FILE") else {
      preconditionFailure("the table lets only files through")
    }
    var words = options + ["--manifest=\(file)"]
    words += invocation.values("define").map { "--define=\($0)" }
    if let application = invocation.value("application") {
      words.append("--application=\(application)")
    }
    let end: ProcessEnd
    do throws(SystemError) {
      let own = try Executable.current()
      let program = "\(Directory.parent(of: own) ?? ".")/scened"
      end = try ChildProcess.spawn(
        program, words, environment: environment, descriptors: [0: 0, 1: 1, 2: 2]
      ).reap()
    } catch {
      throw Failure(ExitCode(for: error), error.description)
    }
    return ExitCode(rawValue: end.shellCode) ?? .fault
  }
}
