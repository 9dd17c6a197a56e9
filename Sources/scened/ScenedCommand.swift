import SceneCommandLine
import SceneModel

/// The command line of `scened`.
let scenedCommand = Command(
  "scened", "Run the broker of an application.",
  version: productVersion,
  details: """
    A session is the saved state of a window. A scene is a session while a client process holds \
    it. The broker owns the sessions of an application and assigns scenes to client processes.

    scened runs in the foreground and logs to standard error. When the broker accepts connections, \
    scened prints a line, writes a newline to --ready-fd and sends READY=1 to $NOTIFY_SOCKET. \
    While the broker reads a large journal, scened shows the progress on a terminal and sends it \
    to $NOTIFY_SOCKET. If $LISTEN_FDS passes a listening socket, scened uses that socket.
    """,
  sections: [
    "Signals": """
    TERM and INT end the broker cleanly: it disconnects every scene first. All scenes together \
    have 4 s for that. If the broker has not read all answers by then, they have 8 s. If a client \
    does not read its messages, the broker closes the connection after 1 s. A second signal ends \
    the broker at once. On HUP, the broker reads the manifest again. It also listens \
    at its socket again if the socket was removed.
    """,
    "Programs of the manifest": """
    The broker starts a program of the manifest when a session needs a client and none is \
    connected. The program runs in the directory of the manifest, without a shell, with the \
    environment variables that the manifest allows. The log gets the output of the program at \
    level info. When the broker ends, it sends TERM to these programs, and KILL one second later.
    """,
    "With COMMAND": """
    The broker is private to COMMAND, such as a test run. The socket and the state are in a \
    temporary directory. scened ignores the caller's $SCENE_SOCKET and sets $SCENE_SOCKET for \
    COMMAND. When the broker is ready, scened starts COMMAND without a shell, and prints no \
    line.

    COMMAND gets the terminal, standard input, output and error, and the descriptors of \
    --keep-fd. COMMAND does not get $NOTIFY_SOCKET, $LISTEN_FDS or the variables of a \
    surrounding scene. scened passes TERM, HUP, QUIT and INT on to COMMAND, except a signal that \
    the keyboard sent to both. COMMAND is in the process group of scened: Ctrl-Z stops both, and fg \
    continues them.

    When COMMAND ends, the broker disconnects all scenes cleanly, sends HUP to the processes that \
    COMMAND left, and exits with the status of COMMAND. If scened fails, COMMAND gets HUP, and on \
    Linux so do the processes that it started. If scened is killed, only COMMAND gets HUP, on Linux.
    """,
  ],
  trailing: .optional("COMMAND"),
  options: [
    .application,
    .value(
      "socket", short: "S", "PATH",
      "the socket, in a directory with mode 0700; default: see $XDG_RUNTIME_DIR below", .file),
    .value(
      "state", "DIR",
      "the state directory, which scened creates; default: see $XDG_STATE_HOME below", .directory),
    .value(
      "manifest", "FILE",
      "the manifest, an Info.plist or JSON; without it, the application can have any number of "
        + "windows", .file),
    .repeated("define", "NAME=VALUE", "the value of $(NAME) in the manifest"),
    .value(
      "application-delegate", "PART",
      "whether an application delegate configures new sessions: builtIn (never), optional (while "
        + "one is connected; the default) or required (new scenes wait for its launch); overrides "
        + "the manifest",
      .choice(DelegateParticipation.allCases.map(\.rawValue))),
    .flag(
      "check",
      "check the command line and the manifest, and start no broker; a program that does not exist "
        + "causes only a warning"
    ),
    .flag("print", "with --check, print the manifest as JSON"),
    .value(
      "check-upgrade", "N",
      "check the state of a broker in descriptor N, and start none; `scenectl upgrade` uses it",
      .integer(3...1_000_000)),
    .choice(
      "durability", ["disk", "os", "none"],
      "when the broker acknowledges a save: after a sync to disk, after a write to the kernel, or "
        + "at once",
      default: "disk"),
    .value(
      "ready-fd", "N", "write a newline to descriptor N when ready", .integer(3...1_000_000)),
    .value(
      "leash-fd", "N", "end cleanly when descriptor N reaches end of file",
      .integer(0...1_000_000)),
    .repeated(
      "keep-fd", "N", "pass descriptor N to COMMAND, in addition to 0, 1 and 2",
      .integer(3...1_000_000)),
    .choice(
      "clock", ["real", "virtual"],
      "the clock source; `scenectl advance` moves a virtual clock", default: "real"),
    .flag(
      "confine",
      "reach only the files of the broker and of the system, and start no programs (Linux 5.19 or "
        + "later)"),
    .flag("faults", "allow `scenectl fault`, for tests"),
    .choice(
      "log-level", ["error", "warning", "info", "debug"],
      "the least severe level to log; with COMMAND, warning is the default", default: "info"),
    .choice("log-format", ["text", "json"], "the format of the log", default: "text"),
    .repeated(
      "budget", "CALLBACK=TIME",
      "the time limit (budget) of a callback, such as didEnterBackground=2s; CALLBACK can also be "
        + "connect or default"
    ),
    .repeated(
      "limit", "NAME=N",
      "a limit, such as activityBytes=65536; for an unknown NAME, scened prints all limits"),
  ],
  examples: [
    "scened &": "Run the broker of the application default in the background.",
    "scened --clock virtual --durability none":
      "Run a broker for a test: `scenectl advance 5s` ends a budget of 5 s.",
    "scened -- pytest -q": "Run tests with a private broker; the status is that of pytest.",
    "scened --clock virtual -- bash ./test.sh":
      "Run a script; `scene` and `scenectl` in the script use the private broker.",
    "scened --faults --state ./state":
      "Run a broker that `scenectl fault --before replySent` can kill.",
    "scened -a notes --durability os":
      "Run the broker of the application notes; a save survives kill -9, not a power loss.",
    "scened --manifest Info.plist --define PRODUCT_MODULE_NAME=Notes":
      "Use the property list of an Xcode project.",
    "scened --check --manifest app.json": "Print every mistake in a manifest.",
    "scened -S ./run/sock --state ./run/state":
      "Keep all files below ./run; first run `mkdir -m 700 run`.",
  ],
  environment: [
    "SCENE_APPLICATION": "the name of the application; -a has precedence",
    "SCENE_SOCKET": "the socket; -S has precedence; scened sets it for COMMAND",
    "TMPDIR": "where scened makes the temporary directory for COMMAND; default: /tmp",
    "XDG_RUNTIME_DIR": "the default socket is scened/NAME.sock in this directory; without it, "
      + "~/.local/state/scened/NAME/sock",
    "XDG_STATE_HOME": "the default state directory is scened/NAME in this directory; without it, "
      + "~/.local/state/scened/NAME",
  ],
  exits: [
    .success: "the broker ended cleanly; with COMMAND, its status (128 + N after signal N)",
    .usage: "the command line is wrong",
    .badData: "the journal is damaged or was written by another version; scened did not change it",
    .noBroker: "another scened uses the socket or the state directory",
    .inputOutput: "reading or writing failed",
    .tryAgain: "the disk has no room for the journal",
    .notAllowed: "permission denied for a file or directory",
    .badConfiguration: "a path or directory cannot be used",
    .badCommand: "COMMAND cannot be started",
    .noCommand: "COMMAND does not exist",
  ])
