import SceneCommandLine
import SceneModel

/// The command line of `scene`.
let sceneCommand = Command(
  "scene", "Run a scene in a shell or around a command.",
  version: productVersion,
  details: """
    A session is the saved state of a window. A scene is a session while a process holds it. This \
    program holds one session: it answers the callbacks of the broker, and saves the activity, \
    which describes where the user is.

    With NAME, scene connects the session of that name. The broker creates the session if it does \
    not exist. Without NAME, scene connects the most recently used session that scene made without \
    COMMAND and that no client holds. With COMMAND, it connects the one whose stored command has \
    the same program and directory, and if possible the same arguments. A window that was open is \
    only for the same arguments: scenectl reopen brings it back. If there is none, scene makes a \
    new session; with COMMAND, the session is named after program and directory, such as "vim \
    website".

    The broker can reclaim a scene in the background: it disconnects the scene to free memory. \
    scene then waits until the session is activated. When the broker ends, scene waits for the \
    next one and resumes its scene there. If the broker starts scene as a program of the manifest, \
    $SCENE_LAUNCH identifies the session, unless the command line names one.
    """,
  sections: [
    "On a terminal": """
    scene shows each callback and reads commands: activity TYPE JSON, title TEXT, subtitle, \
    snapshot, conditions, data, post, observe, cease, background, activate, close, discard, hang \
    [CALLBACK], crash, status, help. JSON needs no quotes in a command: activity \
    com.example.note {"line": 42}. On a shell's command line, JSON needs single quotes: \
    --activity 'com.example.note={"line": 42}'.

    Ctrl-Z sends the scene to the background and stops the process; fg continues both. Ctrl-C \
    and Ctrl-D close the scene and end the process. A scene that a shell started with & reads \
    commands after fg.
    """,
    "Around a command": """
    With COMMAND, the program of COMMAND is the scene and has the terminal. Its environment \
    contains these variables:

    SCENE_ACTIVITY: the path of a file. At the start the file contains the saved activity, if \
    there is one. The program writes its activity there, such as \
    {"activityType":"com.example.note","userInfo":{"line":42}}. scene saves the activity within \
    a second and at each callback. After kill -9 of scene, the next scene of the session saves \
    the activity.
    SCENE_EVENTS: the number of a descriptor. From this descriptor, the program can read a line \
    of JSON for each callback.
    SCENE_DATA: the directory of the session, which stays until the session is discarded. Names \
    that start with .scene- are reserved for scene.
    SCENE_LAST_END: how the last scene of the session ended, such as clientRequest or \
    connectionLost:SEGV. The first scene has no such variable.
    SCENE_SESSION and SCENE_SOCKET: scenectl uses them to find this scene.

    Ctrl-Z sends the scene to the background and stops both processes; fg continues them. If the \
    program ends with 0, scene closes the scene. After another status, the scene ends as after a \
    crash, and the session shows the status. After a reclaim, an activation starts the program \
    again. If the broker ends in order, the program continues until the next broker.

    Before the scene ends, scene sends TERM to the program, HUP after one second, and KILL after \
    two more seconds, each to its whole process group. scene saves an activity that the program \
    writes before its end. With --json the program has no input, and its output goes to standard \
    error.
    """,
    "The stored command": """
    The broker stores COMMAND and the working directory with the session. Of the environment, it \
    stores only the variables of --env, readable for every client of the broker: name no secrets. \
    scene NAME then runs the command again, in that directory. scene NAME -- COMMAND stores \
    another command. The command is the title of the session until another title is set. Another \
    command replaces that title too, unless --title sets one.

    A program can continue with another command than the one that starts it. The program sets that \
    command: it writes "resume", an array of words, beside its activity, such as \
    "resume": ["agent", "--resume", "7"]. --resume-with sets a command without such an identifier: \
    two agents in one directory would then continue the same conversation.

    With --retry TIME, scene runs COMMAND again after TIME if COMMAND fails: with a status other \
    than 0 within 30 seconds of its start, with status 255 as ssh, or by a signal other than \
    INT and PIPE. The time doubles with each failure, up to a minute, and returns to TIME after a run \
    of a minute. Meanwhile the scene stays connected. Enter runs COMMAND at once, and Ctrl-C \
    closes the scene.
    """,
    "A terminal that can close": """
    With --keep, another process of scene holds the terminal of COMMAND. The program runs on if the \
    window, ssh or the multiplexer ends, and scene NAME attaches to it again, also without a broker. \
    The scene is in the foreground while a window shows the terminal. scenectl background NAME and \
    Ctrl-Z detach; no other key is reserved. At most 8 windows can show one terminal. A window that \
    attaches gets the last 64 KiB of output, or the program draws its screen again. After a reboot, \
    scene NAME runs the stored command. scenectl close NAME ends the program.
    """,
    "In a script": """
    Without a terminal, scene reads the same commands from standard input, one on each line. \
    scene runs the next command even if the previous command is still moving the scene. \
    After the end of the input the scene stays connected. If the reader of its output exits, scene \
    closes the scene and ends as after SIGPIPE (status 141 in a shell).

    With --json, scene prints an object on each line: {"callback":"willConnect",…}, \
    {"reply":…,"do":"title"}, {"error":{"reason":…,"message":…},"do":…}, {"state":"waiting"}. \
    scene reads an object on each line:
    {"do":"activity","activityType":"com.example.note","userInfo":{}}
    {"do":"title","title":"Packing"}
    {"do":"conditions","prefersToActivate":"self == \\\"note/packing\\\""}
    {"do":"hang","callback":"didEnterBackground"}
    {"typed":"title Packing"}
    If an object has an "id", its reply has the same "id". {"do":"help"} lists all commands.
    """,
    "Signals": """
    TERM, INT and HUP close the scene cleanly and end the process. A second signal, at least \
    half a second later, ends the process at once. Its session then keeps the last saved \
    activity, as after a crash. A signal that was ignored at the start, as under nohup, stays \
    ignored.
    """,
  ],
  arguments: [
    .optional(
      "NAME", "the name of the session",
      .listed(
        by: "scenectl sessions --names --timeout 300ms", with: ["application", "socket"]))
  ],
  trailing: .optional("COMMAND"),
  options: [
    .flag("new", "make a new session"),
    .value(
      "session", "ID",
      "an existing session: its identifier, a unique start of the identifier, or its name", .name),
    .value("configuration", "NAME", "the configuration of a new session", .name),
    .value("role", "ROLE", "the role of the session", .name, default: "windowApplication"),
    .value("title", "TEXT", "the title of the session in lists"),
    .value("activity", "TYPE=JSON", "an activity to save when the scene is connected"),
    .value("user-info", "JSON", "the userInfo of a new session, an object"),
    .repeated("url", "URL", "a URL for the connection options"),
    .flag("background", "connect the scene and leave it in the background"),
    .flag("take-over", "take the session from the client that holds it"),
    .flag("prompt", "read commands; do not run the stored command of the session"),
    .value(
      "resume-with", "COMMAND",
      "the command that continues the session, if it differs from the command behind --; quoted "
        + "as in a shell, but no shell reads it"),
    .repeated(
      "env", "NAME=VALUE",
      "a variable for the environment of the command, stored with it; at most 4096 bytes in all"),
    .value(
      "retry", "TIME",
      "the time until scene runs a failed command again, such as 5s; stored with the command; 0 "
        + "for never; default: the time of the session's configuration, or never", .duration),
    .flag("ask", "show the stored command and wait for Enter before it runs"),
    .flag(
      "keep",
      "let the program run on after its terminal was closed; scene NAME then attaches to it; short "
        + "for --on-hangup keep"),
    .flag("no-keep", "end the program with its terminal; short for --on-hangup close"),
    .choice(
      "on-hangup", HangupAction.names,
      "the effect of a closed terminal: with keep, the program runs on; with reopen, "
        + "scenectl reopen opens the window; with close, the default, it does not if the "
        + "multiplexer or the graphical session lived on for 5 s; stored with the command"),
    .value(
      "on-activate", "COMMAND",
      "a shell command that shows the window when scenectl or another program activates it; "
        + "default: the command of tmux, screen, kitty or wezterm; stored with the command", .name),
    .flag("no-reopen", "mark the command as one that scenectl reopen must not run again"),
    .flag("json", "print and read JSON lines instead of text"),
    .flag("start", "start scened in the background if no broker runs"),
    .flag("wait", "wait for a broker if none runs"),
    .application,
    .value("socket", short: "S", "PATH", "the socket of the broker", .file),
  ],
  exclusive: [
    ["new", "session"], ["new", "prompt"], ["start", "wait"], ["ask", "json"],
    ["keep", "no-keep", "on-hangup"],
  ],
  examples: [
    "scene packing": "Connects the session packing.",
    "scene packing --activity 'com.example.note={\"line\": 42}'":
      "Saves an activity, which the scene gets back at its next start.",
    "scene packing -- vim -S session.vim":
      "Runs an editor. After a reclaim, an activation of the session starts it again.",
    "scene agent --resume-with 'agent --continue' -- agent":
      "Runs agent. Later, scene agent runs agent --continue in the same directory.",
    "scene build --keep -- make":
      "Runs make. If ssh loses its connection, make runs on; scene build attaches to it.",
    "scene --json <commands >callbacks &":
      "Runs a scene for a script.",
  ],
  environment: [
    "SCENE_APPLICATION": "the name of the application; -a has precedence",
    "SCENE_CONFIG": "the settings file; default: ~/.config/scenebroker/config",
    "SCENE_SOCKET": "the socket of the broker; -S has precedence",
    "SCENE_AUTOSTART": "1 has the effect of --start",
    "COLUMNS": "the width of this help page; default: the width of the window",
    "SCENE_ON_HANGUP": "reopen, close or keep; --on-hangup and the stored command have precedence",
    "SCENE_RAISE": "the command of --on-activate, which has precedence",
    "SCENE_LAUNCH": "the token of a program that the broker started",
    "SCENE_DEBUG": "`wire` shows each frame on standard error",
    "XDG_RUNTIME_DIR": "the directory of sockets; default: ~/.local/state/scened",
  ],
  exits: [
    .success: "the scene ended cleanly; with COMMAND, its status (128 + N after signal N)",
    .failure: "the broker or another client disconnected the scene",
    .usage: "the command line is wrong",
    .badData: "the broker rejects the input",
    .noSession: "the session does not exist",
    .noBroker: "no broker answers",
    .inputOutput: "reading or writing failed",
    .tryAgain: "temporary failure; for example, another client holds the session",
    .notAllowed: "permission denied",
    .badConfiguration: "no socket path is configured, the path cannot be used, or a SCENE_ "
      + "variable is not UTF-8",
    .badCommand: "COMMAND cannot be started",
    .noCommand: "COMMAND does not exist",
  ])
