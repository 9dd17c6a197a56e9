import SceneCommandLine

/// A program with each kind of declaration.
let sample = {
  var program = table
  program.suggestions = ["mount": "raise"]
  return program
}()

private let table = Command(
  "stage", "Move the scenery of a theatre.", version: "1.2.3",
  details: """
    Every verb that moves something returns when it is done.

    The scenery is named by its name, its number, or an unambiguous beginning of it.
    """,
  options: [
    .value("theatre", short: "t", "NAME", "which theatre", default: "globe"),
    .value("socket", short: "S", "PATH", "where the stage listens", .file),
    .flag("json", short: "j", "print JSON"),
    .flag("quiet", short: "q", "say nothing"),
  ],
  groups: [
    (
      "Look",
      [
        Command(
          "status", "Say what stands on the stage.",
          options: [.flag("watch", "go on saying it"), .choice("by", ["name", "age"], "in order")]),
        Command(
          "wait", "Wait until something stands there.",
          arguments: [.repeated("CONDITION", "what to wait for")],
          options: [
            .value("timeout", "TIME", "give up after this long", .duration, default: "10s")
              .alsoBeforeVerb
          ],
          exits: [.success: "it stands there", .timedOut: "it took too long"]),
      ]
    ),
    (
      "Move",
      [
        Command(
          "raise", "Bring scenery up.",
          arguments: [
            .repeated(
              "PIECE", "what to raise",
              .listed(
                by: #"printf '%s\n' tree 'old house'"#, with: ["theatre", "socket"],
                also: ["curtain"]))
          ],
          options: [
            .flag("no-wait", "return at once"),
            .value("speed", "N", "how fast", .integer(1...9), default: "5"),
            .repeated("label", short: "l", "NAME=VALUE", "tie a label to it"),
            .flag("up", "to the very top"), .value("height", "M", "so high", .integer(0...Int.max)),
          ],
          exclusive: [["up", "height"]],
          examples: [
            "stage raise tree": "The tree comes up, and the prompt with it.",
            "stage raise tree --label 'note={\"line\": 42}'": "A label may be JSON.",
          ],
          aliases: ["hoist"]),
        Command(
          "rehearse", "Play a scene with other players.",
          arguments: [.required("SCENE"), .optional("ACT", "which act", .integer(1...5))],
          trailing: .required("COMMAND")),
      ]
    ),
    (
      "Look after",
      [
        Command(
          "store", "Look into the store.",
          verbs: [
            Command("check", "Check what is there.", arguments: [.any("DIR", "where", .directory)]),
            Command("dump", "Print what is there."),
          ])
      ]
    ),
  ],
  defaultVerb: "status",
  examples: ["stage -t globe status": "Everything that stands on the Globe's stage."],
  environment: ["STAGE_SOCKET": "where the stage listens"],
  exits: [.success: "done, or: yes", .failure: "no", .noBroker: "there is no stage"])

/// Parses words that must form a command line.
func invocation(_ words: [String], of program: Command = sample) throws -> Invocation {
  switch try program.parse(words) {
  case .run(let invocation): return invocation
  case .print(let text): throw Unexpected(text: text)
  }
}

struct Unexpected: Error {
  var text: String
}

/// Parses words that must request a text.
func printed(_ words: [String], by program: Command = sample) throws -> String {
  switch try program.parse(words) {
  case .run(let invocation): throw Unexpected(text: invocation.name)
  case .print(let text): return text
  }
}
