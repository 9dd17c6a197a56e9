import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel
import ScenePlatform

extension Verb {
  private static let define = Option.repeated(
    "define", "NAME=VALUE", "the value of $(NAME) in the manifest")

  static let manifest = Verb(
    "manifest", "Check, show or reload a manifest.", run: CommandContext.manifest,
    details: """
      A manifest is an Info.plist (XML or binary) with a UIApplicationSceneManifest, or the same \
      in JSON. `scened --manifest` reads it.
      """,
    verbs: [
      Command(
        "check", "Print every mistake in a manifest.",
        arguments: [.required("FILE", "an Info.plist, or JSON", .file)], options: [define],
        examples: ["scenectl manifest check app.json": "Prints a line for each mistake."],
        exits: [.badConfiguration: "the manifest has mistakes"]),
      Command(
        "show", "Print a manifest as JSON with every default.",
        arguments: [
          .optional("FILE", "the manifest; default: that of the running broker", .file)
        ],
        options: [define, .timeout()],
        examples: [
          "scenectl manifest show": "Prints the manifest of the broker.",
          "scenectl manifest show Info.plist --define PRODUCT_MODULE_NAME=Notes":
            "Prints the property list as a JSON manifest.",
        ],
        exits: [.badConfiguration: "the manifest has mistakes"]),
      Command(
        "reload", "Make the broker read its manifest again.",
        details: """
          All scenes stay. Existing sessions keep their configuration. If the manifest has \
          mistakes, the broker keeps the old one.
          """,
        options: [.timeout()],
        examples: ["scenectl manifest reload": "Does the same as kill -HUP."],
        exits: [.failure: "the manifest has mistakes, or the broker has no manifest file"]),
    ])
}

extension CommandContext {
  fileprivate func manifest() throws -> ExitCode {
    switch invocation.verbs.last {
    case "check": return try readByBroker(["--check"])
    case "show" where invocation.argument("FILE") != nil:
      return try readByBroker(["--check", "--print"])
    case "show" where invocation.has("define"):
      throw invocation.usageError(
        "--define needs FILE; the manifest of the broker has its values already")
    case "show": return try showManifest()
    default: return succeed(try replyListingErrors(to: broker.post(Reload()), "reload"))
    }
  }

  private func showManifest() throws -> ExitCode {
    let json = try broker.result(of: broker.post(ApplicationManifest()), until: deadline)
    if printsJSON {
      console.print(json)
    } else {
      let manifest = try ControlConnection.read(ApplicationManifest.Reply.self, from: json).manifest
        .json
      console.print(console.isScreen ? manifest.indented : "\(manifest)")
    }
    return .success
  }

  /// Checks a file with `scened`, which can read property lists.
  private func readByBroker(_ options: [String]) throws -> ExitCode {
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
    // This program prints the messages of `scened` under its own name.
    words.append("--log-format=json")
    let (errors, end) = try capture(
      2, of: Self.ownDirectory() + "/scened", words, others: [0: 0, 1: 1])
    for message in Self.messages(in: errors) { console.printError("scenectl: \(message)") }
    return ExitCode(rawValue: end.shellCode) ?? .fault
  }

  /// The messages of a log. A line that is not JSON is a message.
  private static func messages(in log: ContiguousArray<UInt8>) -> [String] {
    let document = JSONDocument()
    return String(decoding: log, as: UTF8.self).split(separator: "\n").map { line in
      let message = (try? document.read(line.utf8)).flatMap { document.root["message"]?.string }
      return PlainText.escapedLines(message ?? String(line))
    }
  }
}
