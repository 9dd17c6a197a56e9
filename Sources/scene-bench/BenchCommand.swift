import CommandLine
import SceneModel

/// What `scene-bench` takes, as its help page shows it.
let benchCommand = Command(
  "scene-bench", "Prepare what scripts/bench measures.", version: productVersion,
  details: """
    The traffic itself comes from a load generator in C, the same for this broker, for the limit \
    and for others, so that only servers are compared; it knows nothing of the protocol. What has \
    to know it is done here, with the codec of the broker: frames are written to files, and a \
    journal of many sessions to a directory. Prints one line of JSON.
    """,
  verbs: [
    Command(
      "frames", "Make sessions in a running broker, and write the frames of clients that use them.",
      arguments: [
        .required("SOCKET", "where the broker listens", .file),
        .required("DIRECTORY", "where the files are written", .directory),
      ],
      options: [
        .value(
          "sessions", "N", "how many, one for each client", .integer(1...256), default: "64")
      ]),
    Command(
      "journal", "Write a journal as a broker leaves it, to be read by a start.",
      arguments: [.required("DIRECTORY", "the state directory, which is made", .directory)],
      options: [
        .value(
          "sessions", "N", "how many, each with 1 KiB of activity", .integer(1...100_000),
          default: "100000")
      ]),
    Command(
      "inside", "Carry requests out in memory: what is left is the broker's own code.",
      arguments: [
        .required("KIND", "which request", .choice(["ping", "show", "save", "connect"]))
      ],
      options: [
        .value(
          "clients", "N", "how many ask in each round", .integer(1...10_000), default: "64"),
        .value(
          "rounds", "N", "how often each asks", .integer(1...10_000_000), default: "10000"),
      ]),
  ])
