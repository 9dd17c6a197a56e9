import CommandLine
import JSON
import SceneControl
import SceneModel
import ScenePlatform

extension Errand {
  func manifest() throws(ProgramError) -> ExitCode {
    switch invocation.verbs.last {
    case "check": return try readByBroker(["--check"])
    case "show" where invocation.argument("FILE") != nil:
      return try readByBroker(["--check", "--print"])
    case "show": return try showManifest()
    default: return try reload()
    }
  }

  private func reload() throws(ProgramError) -> ExitCode {
    let number = try ask { (broker) throws(ControlError) in broker.post(Reload()) }
    let json = try finish(number, "reload", listing: true)
    if printsJSON { console.print(json) }
    return .success
  }

  private func showManifest() throws(ProgramError) -> ExitCode {
    let json = try ask { broker throws(ControlError) in
      try broker.result(of: broker.post(ApplicationManifest()), until: deadline)
    }
    if printsJSON {
      console.print(json)
    } else {
      let manifest = try read(ApplicationManifest.Reply.self, json).manifest.json
      console.print(console.isScreen ? manifest.indented : "\(manifest)")
    }
    return .success
  }

  /// Lets `scened` read the file: it is who knows property lists.
  private func readByBroker(_ options: [String]) throws(ProgramError) -> ExitCode {
    guard let file = invocation.argument("FILE") else {
      preconditionFailure("the table lets only files through")
    }
    if file != "-", !File.exists(file) {
      throw ProgramError(.noSession, PlainText.escaped("\(file): no such file"))
    }
    var words = options + ["--manifest=\(file == "-" ? "/dev/stdin" : file)"]
    words += invocation.values("define").map { "--define=\($0)" }
    if let application = invocation.value("application") {
      words.append("--application=\(application)")
    }
    // What it says is said again under the name of this program.
    words.append("--log-format=json")
    do throws(SystemError) {
      let own = try Executable.current()
      var said = try FileDescriptor.pipe()
      let child = try start(
        "\(Directory.parent(of: own) ?? ".")/scened", words, errors: said.takeSecond())
      let errors = try said.takeFirst().readToEnd(limit: 16 << 20)
      let end = try child.reap()
      let complaint = Self.messages(in: errors)
      if !complaint.isEmpty { console.complain("scenectl: \(complaint)") }
      return ExitCode(rawValue: end.shellCode) ?? .fault
    } catch {
      throw ProgramError(error)
    }
  }

  private func start(
    _ program: String, _ words: [String], errors: consuming FileDescriptor
  ) throws(SystemError) -> ChildProcess {
    try ChildProcess.spawn(
      program, words, environment: environment, descriptors: [0: 0, 1: 1, 2: errors.number])
  }

  /// Those of a log; a line that is none of it stands for itself.
  private static func messages(in log: ContiguousArray<UInt8>) -> String {
    let document = JSONDocument()
    return String(decoding: log, as: UTF8.self).split(separator: "\n")
      .flatMap { line in
        let message = (try? document.read(line.utf8)).flatMap { document.root["message"]?.string }
        return (message ?? String(line)).split(separator: "\n").map(String.init)
      }
      .map(PlainText.escaped).joined(separator: "\n")
  }
}
