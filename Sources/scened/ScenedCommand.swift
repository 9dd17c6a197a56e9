import CommandLine
import SceneModel

/// The command line of `scened`.
let scenedCommand = Command(
  "scened", "Run the broker of an application.",
  version: productVersion,
  details: """
    The broker owns the sessions of an application and assigns scenes to client processes. It runs \
    in the foreground and logs to standard error. When it accepts connections, it prints a line, \
    writes a newline to --ready-fd and sends READY=1 to $NOTIFY_SOCKET. It uses a listening socket \
    of $LISTEN_FDS instead of its own.

    TERM and INT end the broker in order: it disconnects every scene first. All scenes together \
    have 4 s for that, or 8 s while an answer is unread. The broker closes a client that does not \
    read after 1 s. A second signal ends the broker at once. HUP makes it read the manifest again.

    The broker starts a program of the manifest when a session needs a client and none is \
    connected. The program runs in the directory of the manifest, without a shell, with the \
    variables that the manifest allows. Its output goes to the log at level info. At its end the \
    broker sends TERM to such programs, and KILL one second later.

    With COMMAND, the broker is private to that command, such as a test run. Its socket and state \
    are in a temporary directory. scened ignores the caller's $SCENE_SOCKET and sets $SCENE_SOCKET \
    for COMMAND. COMMAND gets the terminal, standard input, output and error, and the descriptors \
    of --keep-fd. It does not get $NOTIFY_SOCKET, $LISTEN_FDS or the variables of a surrounding \
    scene. scened starts COMMAND without a shell when the broker is ready, and prints no line. It \
    passes TERM, HUP, QUIT and INT on, except a signal that the keyboard sent to both. Ctrl-Z \
    stops COMMAND and then the broker; fg continues both. When COMMAND ends, the broker \
    disconnects all scenes in order, sends HUP to the processes that COMMAND left, and exits with \
    its status. If scened fails or is killed, COMMAND gets HUP, and on Linux also the processes \
    that COMMAND started.
    """,
  trailing: .optional(),
  options: [
    .value("application", short: "a", "NAME", "the application", default: "default"),
    .value(
      "socket", short: "S", "PATH", "the socket, in a directory with mode 0700",
      .file),
    .value(
      "state", "DIR", "the directory of the journal, which scened makes",
      .directory),
    .value(
      "manifest", "FILE",
      "the manifest, an Info.plist or JSON; without it, any number of windows", .file),
    .repeated("define", "NAME=VALUE", "the value of $(NAME) in the manifest"),
    .value(
      "application-delegate", "PART",
      "the part of a delegate: builtIn, optional (the default) or required; overrides the manifest",
      .choice(DelegateParticipation.allCases.map(\.rawValue))),
    .flag(
      "check",
      "check the command line and the manifest, and start no broker; a missing program is a warning"
    ),
    .flag("print", "with --check, print the manifest as JSON"),
    .choice(
      "durability", ["disk", "os", "none"],
      "when the broker acknowledges a save: synced to disk, written to the kernel, or at once",
      default: "disk"),
    .value(
      "ready-fd", "N", "write a newline to descriptor N when ready", .integer(3...1_000_000)),
    .value(
      "leash-fd", "N", "end in order when descriptor N reaches its end", .integer(0...1_000_000)),
    .repeated(
      "keep-fd", "N", "descriptor N stays open in COMMAND, as 0, 1 and 2 do",
      .integer(3...1_000_000)),
    .choice(
      "clock", ["real", "virtual"],
      "the clock source; `scenectl advance` moves a virtual clock", default: "real"),
    .flag("faults", "allow `scenectl fault`, for tests"),
    .choice(
      "log-level", ["error", "warning", "info", "debug"],
      "the least severe level to log; with COMMAND, warning is the default", default: "info"),
    .choice("log-format", ["text", "json"], "the format of the log", default: "text"),
    .repeated(
      "budget", "CALLBACK=TIME",
      "the longest time for a callback, such as didEnterBackground=2s; also connect and default"
    ),
    .repeated(
      "limit", "NAME=N", "a limit, such as activityBytes=65536; an unknown NAME prints all limits"),
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
      "Keep all files below ./run, which `mkdir -m 700 run` made.",
  ],
  environment: [
    "SCENE_SOCKET": "the socket; -S has precedence; scened sets it for COMMAND",
    "TMPDIR": "the place of the temporary directory for COMMAND; default: /tmp",
    "XDG_RUNTIME_DIR": "the directory of sockets; default: ~/.local/state/scened",
    "XDG_STATE_HOME": "the directory of state; default: ~/.local/state",
  ],
  exits: [
    .yes: "the broker ended in order; with COMMAND, its status (128 + N after signal N)",
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
