import CommandLine
import SceneModel
import ScenePlatform

/// The program that an ``App`` is: its command line, and what it does.
struct AppProgram {
  let name: String
  let summary: String
  let declarations: SceneDeclarations

  init(_ app: some App) {
    name = app.name
    summary = app.summary
    declarations = app.body.declarations
  }

  func run(_ signals: AppSignals?) {
    do {
      let manifest = try declarations.manifest
      let words = try Arguments.text(of: CurrentProcess.arguments, for: name)
      switch try command.parse(words, columns: Terminal.columns) {
      case .print(let text): try StandardStream.output.write(text)
      case .run(let invocation) where invocation.has("print-manifest"):
        try StandardStream.output.write(manifest.json + "\n")
      case .run(let invocation): try serve(invocation, signals)
      }
    } catch let error as UsageError {
      fail("\(error)", .usage)
    } catch let error as MissingArguments {
      fail("\(name): \(error)", .badConfiguration)
    } catch let error as SceneError {
      fail("\(name): \(PlainText.escaped(error.message))", ExitCode(error))
    } catch {
      fail("\(name): standard output: \(error)", .inputOutput)
    }
  }

  func fail(_ message: String, _ code: ExitCode) -> Never {
    try? StandardStream.error.write(PlainText.escapedLines(message) + "\n")
    CurrentProcess.exit(code.rawValue)
  }

  // MARK: - The command line

  private var command: Command {
    let kinds = declarations.scenes.map(\.configuration.name)
    return Command(
      name, summary, version: SceneApplication.Program.version,
      details: """
        With a NAME it is the scene of the session of that name, which is made if there is none. \
        Without one it is the scene of the session that was used last and that nobody has, else of \
        a new one. A window that is open already comes to the foreground where it is.

        Ctrl-C ends it, Ctrl-Z sends it to the background.

        The broker is started with this application's manifest: \
        scened --manifest <(\(name) --print-manifest)
        """,
      arguments: [.optional("NAME", "the session's name")],
      options: [
        .flag("new", "make a new session"),
        .value("configuration", short: "c", "KIND", "which kind of scene", .choice(kinds)),
        .repeated("url", "URL", "a URL that the scene is connected to open"),
        .flag("background", "stay in the background"),
        .flag("take-over", "take the session from whoever has it"),
        .flag("print-manifest", "print the manifest of this application, for scened"),
        .value("application", short: "a", "NAME", "which application", default: "default"),
        .value("socket", short: "S", "PATH", "where the broker listens", .file),
      ],
      exits: [
        .yes: "its scenes ended in order", .noBroker: "no broker answers",
        .tryAgain: "not now, for example because somebody else has the session",
      ])
  }

  func request(_ invocation: Invocation) throws -> SceneRequest {
    var request = SceneRequest()
    if let session = invocation.argument("NAME") {
      guard !invocation.has("new") else {
        throw invocation.usageError(
          "NAME and --new exclude each other: what --new makes has no name")
      }
      request.session = .named(session)
    } else if invocation.has("new") {
      request.session = .new
    }
    request.configuration = invocation.value("configuration")
    request.role = declarations.scenes.first {
      $0.configuration.name == request.configuration
    }.map { SceneSession.Role(rawValue: $0.role.rawValue) }
    request.urlContexts = try invocation.values("url").map { url in
      do throws(SceneError) {
        return try OpenURLContext(url: url)
      } catch {
        throw invocation.usageError("--\(error.message)")
      }
    }
    request.staysInBackground = invocation.has("background")
    request.takesOver = invocation.has("take-over")
    return request
  }
}
