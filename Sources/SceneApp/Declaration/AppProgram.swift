import SceneClient
import SceneCommandLine
import SceneModel
import ScenePlatform

/// The program that an ``App`` is: its command line, and what it does.
struct AppProgram: Sendable {
  let name: String
  let summary: String
  let log: (@Sendable (SceneLogRecord) -> Void)?
  let declarations: SceneDeclarations

  @MainActor
  init(_ app: some App) {
    name = app.name
    summary = app.summary
    log = app.log
    declarations = app.body.declarations
  }

  func run() async {
    let settings = UserSettings.load()
    do {
      let manifest = try declarations.manifest
      let words = try Arguments.text(of: CurrentProcess.arguments, for: name)
      let outcome = try command.parse(words, columns: Terminal.columns)
      if case .run = outcome { try settings.get() }
      switch outcome {
      case .print(let text): try StandardStream.output.write(text)
      case .run(let invocation) where invocation.has("print-manifest"):
        try StandardStream.output.write(manifest.json + "\n")
      case .run(let invocation)
      where !declarations.delegates.isEmpty && invocation.has("application-delegate"):
        await serveDelegate(declarations.delegates[0].make(), invocation)
      case .run(let invocation): try await serve(invocation)
      }
    } catch let error as SceneError {
      ProgramAddress(name: name, log: log)
        .fail(PlainText.escaped(error.message), ExitCode(error), error: error)
    } catch {
      ProgramAddress(name: name, log: log).end(error)
    }
  }

  // MARK: - The command line

  private var command: Command {
    let kinds = declarations.scenes.map(\.configuration.name)
    return Command(
      name, summary, version: ProgramAddress.version,
      details: """
        With NAME, \(name) connects the session of that name. The broker makes the session if it \
        does not exist. Without NAME, \(name) connects the most recently used session that \(name) \
        made and no client holds, or a new session. A window that is already open comes to the foreground.

        Ctrl-C ends \(name). Ctrl-Z sends its scenes to the background and stops the process.

        Start the broker with this application's manifest: \
        \(name) --print-manifest > \(name).json; scened --manifest \(name).json
        """,
      arguments: [.optional("NAME", "the name of the session")],
      trailing: .optional("ARGUMENT"),
      options: delegateOptions + [
        .flag("new", "make a new session"),
        .value("configuration", short: "c", "KIND", "the kind of the scene", .choice(kinds)),
        .repeated("url", "URL", "a URL for the connection options"),
        .flag("background", "connect the scene and leave it in the background"),
        .flag("take-over", "take the session from the client that holds it"),
        .flag("print-manifest", "print the manifest of this application, for scened"),
        .application,
        .value("socket", short: "S", "PATH", "the socket of the broker", .file),
      ],
      exits: [
        .success: "the scenes ended cleanly", .noBroker: "no broker answers",
        .tryAgain: "temporary failure; for example, another client holds the session",
      ])
  }

  private var delegateOptions: [Option] {
    declarations.delegates.isEmpty
      ? [] : [.flag("application-delegate", "run the application delegate instead of scenes")]
  }

  func request(_ invocation: Invocation) throws -> SceneRequest {
    var request = SceneRequest()
    if let session = invocation.argument("NAME") {
      guard !invocation.has("new") else {
        throw invocation.usageError(
          "NAME and --new cannot be used together: --new makes a session without a name")
      }
      request.session = .named(session)
    } else if invocation.has("new") {
      request.session = .new
    }
    request.configuration = invocation.value("configuration")
    request.role =
      declarations.scenes.first { $0.configuration.name == request.configuration }?.role
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
