import CommandLine
import SceneScript

extension Command {
  static var conform: Command {
    Command(
      "conform", "Try whether a client, in whatever language, keeps to the life cycle.",
      details: """
        For each case COMMAND is started, with a broker of its own whose socket it finds in \
        $SCENE_SOCKET. It is moved about as a user would, killed, and left without a broker; and \
        every word between the two is looked at. Nothing is left behind.

        What comes of it is printed in the Test Anything Protocol. A client must or may do what a \
        case says. Where it does not do what it must, what came instead and what was said last is \
        shown; where it does not do what it may, that is a TODO, which is no failure. A case that \
        does not arise is skipped.

        In every case, the client must send whole frames of JSON, and answer what it was asked \
        once, under the id that it was asked with.

        \(cases)
        """,
      trailing: .required(),
      options: [
        .repeated(
          "case", "NAME", "only this case", .choice(ConformCase.table.map(\.name))),
        .value(
          "patience", short: "p", "TIME", "how long the client may take for one thing", .duration,
          default: "5s"),
        .value("junit", "FILE", "write what came of it to a file as JUnit's XML, too", .file),
      ],
      examples: [
        "scenectl conform -- scripts/scene.py": "Tries the scene in Python.",
        "scenectl conform --case resume --case lost -- ./my-client --quiet":
          "Tries what it does when the broker dies.",
      ],
      exits: [
        .yes: "it does all that a client must", .no: "it does not",
        .badCommand: "COMMAND cannot be started", .noCommand: "there is no such COMMAND",
      ])
  }

  private static var cases: String {
    ConformCase.table.map(\.title).joined(separator: "\n")
  }
}
