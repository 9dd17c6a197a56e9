import CommandLine
import SceneModel

/// What `scened` takes, as its help page shows it.
let scenedCommand = Command(
  "scened", "Own an application's life cycle, and hand its scenes out to processes.",
  version: productVersion,
  details: """
    Runs in the foreground and logs to standard error. Once it is ready it prints a line, writes a newline to --ready-fd, and \
    tells $NOTIFY_SOCKET. A listening socket passed by $LISTEN_FDS is used instead of one of its own.

    TERM or INT ends it in order: every scene goes down the line first. All together have 4 s for that, and up to 4 s more \
    only while something that was said in that time is not read yet; who takes no last words has 1 s. A second one ends it \
    at once.

    A program that the manifest says to launch is started when a session needs a process and none is there. It runs where \
    the manifest lies, without a shell, with the variables that it is allowed; what it prints is logged, at the level info. \
    When scened ends in order it ends such programs, by TERM and a second later by KILL.

    With a COMMAND it is a private broker around that command, such as a test: socket and state lie in a temporary \
    directory, the environment $SCENE_SOCKET of whoever starts it does not count, and COMMAND finds the new one there. \
    COMMAND has the terminal, standard input, output and error, and no other descriptor but those of --keep-fd. It is \
    started without a shell once the broker is ready, which is not said on standard output. TERM, HUP, QUIT and INT are \
    handed on to COMMAND (what comes of a key, it has already). Ctrl-Z stops COMMAND and, once that has stopped, the \
    broker; fg lets both go on. The broker ends when COMMAND does, and with its status: \
    scenes that are left are disconnected in order, and processes that are left are hung up on. When scened fails, COMMAND \
    is hung up on as well; when it is killed, too, and so is everybody who was started there, where the system tells \
    who that is (Linux). What scened was told by variables that \
    are for it alone ($NOTIFY_SOCKET, $LISTEN_FDS, those of a scene around it), COMMAND does not find.
    """,
  trailing: .optional(),
  options: [
    .value("application", short: "a", "NAME", "which application", default: "default"),
    .value(
      "socket", short: "S", "PATH", "where to listen, in a directory of yours alone (mode 0700)",
      .file),
    .value(
      "state", "DIR", "where to keep what must survive; a directory that is made if need be",
      .directory),
    .value(
      "manifest", "FILE",
      "what scenes there may be: an Info.plist, or JSON; without one, any number of windows", .file),
    .repeated("define", "NAME=VALUE", "the value of $(NAME) and ${NAME} in the manifest"),
    .choice(
      "application-delegate", DelegateParticipation.allCases.map(\.rawValue),
      "the part that a delegate plays; overrides the manifest, whose default is optional"),
    .flag(
      "check",
      "only read the command line and the manifest, and say what is wrong; a program that is not there is a warning"
    ),
    .flag("print", "with --check: print the manifest as JSON"),
    .choice(
      "durability", ["disk", "os", "none"],
      "what a reply to a save promises: synced, written, or nothing", default: "disk"),
    .value(
      "ready-fd", "N", "a descriptor to write a newline to when ready", .integer(3...1_000_000)),
    .value("leash-fd", "N", "end in order when this reaches its end", .integer(0...1_000_000)),
    .repeated(
      "keep-fd", "N", "a descriptor that COMMAND keeps, beside 0, 1 and 2", .integer(3...1_000_000)),
    .choice(
      "clock", ["real", "virtual"],
      "by what time goes: virtual stands still until `scenectl advance`", default: "real"),
    .flag("faults", "let a test make it die or find its disk full, by `scenectl fault`"),
    .choice(
      "log-level", ["error", "warning", "info", "debug"],
      "how much to log; around a COMMAND, warning unless this is given", default: "info"),
    .choice("log-format", ["text", "json"], "how to log", default: "text"),
    .repeated(
      "budget", "CALLBACK=TIME",
      "the time a callback may take, such as didEnterBackground=2s; connect and default are the others"
    ),
    .repeated("limit", "NAME=N", "another limit, such as activityBytes=65536"),
  ],
  examples: [
    "scened &": "Serve the application \"default\" behind this shell.",
    "scened --clock virtual --durability none":
      "For a test: a budget of 5 s is over when `scenectl advance 5s` says so.",
    "scened -- pytest -q": "A test run with a broker of its own; the status is that of pytest.",
    "scened --clock virtual -- bash ./test.sh":
      "The same for a script: what it calls `scene` and `scenectl` talks to that broker.",
    "scened --faults --state ./state":
      "For a test: `scenectl fault --before replySent` lets it die before it answers.",
    "scened -a notes --durability os": "Serve another one; a reply to a save means written.",
    "scened --manifest Info.plist --define PRODUCT_MODULE_NAME=Notes":
      "The scenes are those of a property list as Xcode writes it; HUP reads it again.",
    "scened --check --manifest app.json": "Says all that is wrong with a manifest.",
    "scened -S ./run/sock --state ./run/state":
      "Keep everything below ./run, which was made with: mkdir -m 700 run",
  ],
  environment: [
    "SCENE_SOCKET": "where to listen, unless -S says so; COMMAND is told here where that is",
    "TMPDIR": "where the temporary directory around a COMMAND is made; else /tmp",
    "XDG_RUNTIME_DIR": "where sockets lie; else ~/.local/state/scened",
    "XDG_STATE_HOME": "where state lies; else ~/.local/state",
  ],
  exits: [
    .yes: "it ended in order; around a COMMAND, the status of that (128 and more: by a signal)",
    .usage: "the command line is wrong",
    .badData: "the journal is damaged, or none of this version; it was left as it is",
    .noBroker: "another scened serves this socket, or has this state",
    .inputOutput: "the disk answered with an error",
    .tryAgain: "there is no room for a journal",
    .notAllowed: "a file or directory may not be used",
    .badConfiguration: "a path or a directory will not do; the message says why",
    .badCommand: "COMMAND cannot be started",
    .noCommand: "there is no such COMMAND",
  ])
