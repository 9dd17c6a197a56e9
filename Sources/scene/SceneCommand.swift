import CommandLine
import SceneModel

/// What `scene` takes, as its help page shows it.
let sceneCommand = Command(
  "scene", "Be a scene of an application, in a shell or around a command.",
  version: productVersion,
  details: """
    With a NAME it is the scene of the session of that name, which is made if there is none. \
    Without one it is the scene of the session that was used last and that nobody has, else of a \
    new one.

    On a terminal it shows every callback as it comes and takes commands: activity TYPE JSON, \
    title TEXT, subtitle, snapshot, conditions, background, activate, close, discard, hang [CALLBACK], crash, status, help. \
    JSON stands there as it is: activity com.example.note {"line": 42}. On the command line of a \
    shell, which takes quotes and blanks for itself, an argument with JSON stands in single quotes: \
    --activity 'com.example.note={"line": 42}'.

    Ctrl-Z is the home gesture: the scene goes to the background and the process stops; fg brings \
    it back. Ctrl-D closes the scene. Ctrl-C leaves. Started in the background (scene &), it takes \
    commands once fg brings it to the foreground.

    Not on a terminal it takes the same commands from standard input, one a line, in their order; \
    one that moves the scene is done with when it is on its way. The end of the input changes \
    nothing: the scene stays. When nobody reads what it prints any more it \
    closes its scene, and ends without a word, as by SIGPIPE (a shell says 141).

    TERM, INT and HUP close the scene in order, and end the program. Another one, more than half a \
    second later, ends it at once: its scene is lost as by a crash, and comes back with what was \
    saved. One that was ignored when it started, as under nohup, stays ignored.

    With --json it prints an object a line: {"callback":"willConnect",…}, \
    {"reply":…,"do":"title"}, {"error":{"reason":…,"message":…},"do":…}, {"state":"waiting"}. It \
    takes an object a line:
    {"do":"activity","activityType":"com.example.note","userInfo":{}}
    {"do":"title","title":"Packing"}
    {"do":"conditions","prefersToActivate":"self == \\\"note/packing\\\""}
    {"do":"hang","callback":"didEnterBackground"}
    {"do":"background"} and so on, or what one would type: {"typed":"title Packing"}. An "id" \
    comes back with the reply; {"do":"help"} is answered with all of them.

    When the scene is reclaimed it waits to be activated. When the broker goes away it waits, and \
    the scene goes on where it was.

    With a COMMAND any program is the scene. It finds in its environment:
    SCENE_ACTIVITY, a file that begins with the activity to be at again, if there is one, and \
    that the program writes to say what it is at, such as \
    {"activityType":"com.example.note","userInfo":{"line":42}}; it is saved within a second, and \
    at every callback; after kill -9 of scene, the session's next scene saves it;
    SCENE_EVENTS, a descriptor (3) from which it may read a line of JSON for every callback;
    SCENE_DATA, the session's directory, for files that stay until it is discarded; names that \
    begin with .scene- belong to scene;
    SCENE_SESSION and SCENE_SOCKET, with which scenectl means this scene.
    The terminal is the program's: Ctrl-Z sends the scene to the background and stops both, fg \
    brings them back. When the program ends with 0, the scene is closed; otherwise it is left as \
    after a crash. Before the scene is taken away the program gets TERM, a second later HUP, and \
    two seconds later KILL, it and whatever it has started; what it writes before its end is \
    saved. After a reclaim it is started again when the scene is activated. With --json it has no \
    input, and its output goes to standard error.

    Started by the broker, as the manifest's launch says, it is given the session that it was started for. It shows the \
    broker what stands in $SCENE_LAUNCH, unless a session is named here.
    """,
  arguments: [
    .optional(
      "NAME", "the session's name",
      .listed(
        by: "scenectl sessions --names --timeout 300ms", with: ["application", "socket"]))
  ],
  trailing: .optional(),
  options: [
    .flag("new", "make a new session"),
    .value(
      "session", "ID",
      "the session of this identifier, of this beginning of one, or of this name; it must be there",
      .name),
    .value("configuration", "NAME", "the configuration of a new session", .name),
    .value("role", "ROLE", "the role of the session", .name, default: "windowApplication"),
    .value("title", "TEXT", "what the scene is called in lists"),
    .value("activity", "TYPE=JSON", "an activity to save once the scene is connected"),
    .value("user-info", "JSON", "what a new session is given to keep"),
    .repeated("url", "URL", "a URL that the scene is connected to open"),
    .flag("background", "stay in the background"),
    .flag("take-over", "take the session from whoever has it"),
    .flag("json", "JSON lines instead of text, out and in"),
    .value("application", short: "a", "NAME", "which application", default: "default"),
    .value("socket", short: "S", "PATH", "where the broker listens", .file),
  ],
  exclusive: [["new", "session"]],
  examples: [
    "scene packing": "The scene of the session \"packing\".",
    "scene packing --activity 'com.example.note={\"line\": 42}'":
      "It is on line 42 of a note, and will be again when it comes back.",
    "scene packing -- vim -S session.vim":
      "An editor that is started again when its scene is.",
    "scene --json <commands >callbacks &":
      "A scene for a script; a command is {\"do\":\"title\",\"title\":\"Packing\"}.",
  ],
  environment: [
    "SCENE_SOCKET": "where the broker listens, unless -S says so",
    "COLUMNS": "how wide this page may be; else the window says",
    "SCENE_LAUNCH": "what a program that the broker has started shows it",
    "SCENE_DEBUG": "with `wire`, every frame is shown on standard error",
    "XDG_RUNTIME_DIR": "where sockets lie; else ~/.local/state/scened",
  ],
  exits: [
    .yes: "the scene ended in order; of a COMMAND that was started, its status (128+N by a signal)",
    .no: "it was disconnected against its will",
    .usage: "the command line is wrong",
    .badData: "the broker would not have what it was given",
    .noSession: "there is no such session",
    .noBroker: "no broker answers",
    .inputOutput: "reading or writing failed",
    .tryAgain: "not now, for example because somebody else has the session",
    .notAllowed: "this is not allowed",
    .badConfiguration: "nothing says where the broker listens, or nobody can there, or a SCENE_ "
      + "variable is no text",
    .badCommand: "the COMMAND cannot be started",
    .noCommand: "there is no such COMMAND",
  ])
