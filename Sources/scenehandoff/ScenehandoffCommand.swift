import SceneCommandLine
import SceneHandoff
import SceneModel

/// The command line of `scenehandoff`.
let scenehandoffCommand = Command(
  "scenehandoff", "Share the sessions of a user between hosts.",
  version: productVersion,
  details: """
    scenehandoff publishes the sessions of a broker in etcd, and takes sessions of other hosts. \
    Each host runs its own broker and its own scenehandoff. Show the sessions of all hosts with \
    `scenectl handoff`, and continue one with `scenectl handoff take`.

    scenehandoff runs in the foreground and logs to standard error. While etcd cannot be reached, \
    it tries again with a random delay up to 3 s, and the sessions of this host stay usable. When \
    it has connected, or has failed to reach etcd once, it writes a newline to --ready-fd and \
    sends READY=1 to $NOTIFY_SOCKET.

    A process that can write the keys of a user in etcd can run programs as that user.
    """,
  sections: [
    "Signals": "TERM, INT and HUP end scenehandoff. The broker and its scenes continue."
  ],
  options: [
    .repeated(
      "engine", "ADDRESS",
      "a member of etcd: \(EngineAddress.expectation); repeat it for more members"),
    .value(
      "host", "NAME",
      "the name of this host, also in `away`; default: the host's name without its domain"),
    .application,
    .value("socket", short: "S", "PATH", "the socket of the broker", .file),
    .value(
      "state", "FILE",
      "the state file; default: handoff.json in the state directory of the application", .file),
    .value(
      "ttl", "SECONDS", "the time after which a dead host counts as absent", .integer(5...3600),
      default: "30"),
    .value(
      "credentials", "FILE",
      "a file of mode 0600 with one line USER:PASSWORD of etcd", .file),
    .flag("plain", "allow an address that is not loopback: the network is private"),
    .value(
      "ready-fd", "N", "write a newline to descriptor N when ready", .integer(3...1_000_000)),
    .choice(
      "log-level", ["error", "warning", "info", "debug"], "the least severe level to log",
      default: "info"),
    .choice("log-format", ["text", "json"], "the format of the log", default: "text"),
  ],
  examples: [
    "scenehandoff --engine 127.0.0.1:2379": "Share sessions through etcd on this machine.",
    "scenehandoff --engine ssh:me@server": "Use etcd on a server, through ssh.",
  ],
  environment: [
    "SCENE_APPLICATION": "the name of the application; -a has precedence",
    "SCENE_SOCKET": "the socket; -S has precedence",
    "SCENE_SSH": "the command instead of `ssh`; no shell reads its words",
    "XDG_STATE_HOME": "the default state file is scened/NAME/handoff.json in this directory",
  ],
  exits: [
    .failure:
      "another host uses the name of this host, another scenehandoff the broker or the state file, "
      + "or the state file is of another host",
    .usage: "the command line is wrong",
    .badData: "the address is not of etcd 3.4 or later, or the state file is damaged",
    .noBroker: "no broker runs",
    .inputOutput: "reading or writing failed",
    .notAllowed: "the credentials are wrong, or their file is not private",
    .badConfiguration: "a path cannot be used",
  ])
