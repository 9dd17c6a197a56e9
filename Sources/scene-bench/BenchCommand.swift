import SceneCommandLine
import SceneModel

/// The command line of `scene-bench`.
let benchCommand = Command(
  "scene-bench", "Prepare measurements for scripts/bench.", version: productVersion,
  details: """
    A load generator in C sends the traffic to each server, so that scripts/bench compares only \
    servers. The load generator does not know the protocol. scene-bench encodes frames with the \
    codec of the broker and writes them to files. It also writes a journal of many sessions to a \
    directory. It prints one line of JSON.
    """,
  verbs: [
    Command(
      "frames", "Make sessions in a broker and write client frames.",
      arguments: [
        .required("SOCKET", "the socket of the broker", .file),
        .required("DIRECTORY", "the directory for the files", .directory),
      ],
      options: [
        .value(
          "sessions", "N", "number of sessions, one for each client",
          .integer(1...256), default: "64"),
        .value(
          "activity", "N", "bytes of a saved activity", .integer(128...262_144), default: "1024"),
      ]),
    Command(
      "journal", "Write a journal for the start of a broker.",
      arguments: [.required("DIRECTORY", "the state directory to make", .directory)],
      options: [
        .value(
          "sessions", "N", "number of sessions, each with 1 KiB of activity", .integer(1...100_000),
          default: "100000")
      ]),
    Command(
      "inside", "Measure requests or events in memory, without a socket or a disk.",
      arguments: [
        .required(
          "KIND", "the request, or an event to all clients",
          .choice(["ping", "show", "save", "connect", "event"]))
      ],
      options: [
        .value(
          "clients", "N", "number of clients in each round", .integer(1...10_000), default: "64"),
        .value(
          "rounds", "N", "number of requests from each client, or of events",
          .integer(1...10_000_000), default: "10000"),
      ]),
  ])
