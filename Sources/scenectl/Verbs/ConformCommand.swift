import CommandLine
import SceneScript

extension Command {
  static var conform: Command {
    Command(
      "conform", "Test whether a client in any language follows the protocol.",
      details: """
        For each case the verb starts COMMAND with a broker of its own; $SCENE_SOCKET names the \
        socket. The verb moves the scene, kills the client and the broker, and checks each message \
        between the two.

        The output is in the Test Anything Protocol (TAP). A failed required case shows the actual \
        message and the last messages before it. A failed optional case is a TODO and not a \
        failure. A case that does not apply is skipped.

        In every case the client must send complete frames of JSON. It must answer each callback \
        once, with the id of that callback.

        \(cases)
        """,
      trailing: .required(),
      options: [
        .repeated("case", "NAME", "run only this case", .choice(ConformCase.table.map(\.name))),
        .value(
          "patience", short: "p", "TIME", "the time that the client has for one reply", .duration,
          default: "5s"),
        .value("junit", "FILE", "write a JUnit XML report to FILE, too", .file),
      ],
      examples: [
        "scenectl conform -- scripts/scene.py": "Tests the client in Python.",
        "scenectl conform --case resume --case lost -- ./my-client --quiet":
          "Tests what the client does when the broker dies.",
      ],
      exits: [
        .yes: "the client passes all required cases", .no: "the client fails a required case",
        .badCommand: "COMMAND cannot be started", .noCommand: "COMMAND does not exist",
      ])
  }

  private static var cases: String {
    ConformCase.table.map(\.title).joined(separator: "\n")
  }
}
