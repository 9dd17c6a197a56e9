import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform
import SceneScript
import SceneWire

extension Verb {
  static let save = Verb(
    "save", "Save an activity for a session.", script: .acts, run: CommandContext.save,
    details: """
      TYPE=JSON in one word is the same as TYPE JSON. In the place of JSON, @FILE reads a file, and \
      - reads standard input. While a scene is connected, its next save replaces the activity, and \
      the verb prints a warning.
      """,
    arguments: [
      .optional(
        "SESSION", "the session; default: $SCENE_SESSION", .session),
      .optional("TYPE", "the type of the activity"),
      .optional("JSON", "its userInfo, an object"),
    ],
    options: [.flag("clear", "clear the saved activity"), .timeout()],
    examples: [
      "scenectl save packing com.example.note '{\"line\": 42}'":
        "Returns when the activity is on the disk.",
      "scenectl save packing com.example.note=@note.json": "Saves the object in the file.",
      "scenectl save packing --clear": "The next client gets no activity.",
    ],
    exits: [.badData: "the input is not a JSON object"])

  static let restore = Verb(
    "restore", "Make an earlier activity of a session current.", script: .acts,
    run: CommandContext.restore,
    details: """
      The verb saves the earlier activity as a new generation. The broker keeps the last three \
      generations. The default GENERATION is the one that the broker withholds after a crash \
      loop, else the one before the newest.

      A client gets the activity when it connects. While a scene is connected, its next save \
      replaces the restored activity, and the verb prints a warning. Close the scene first: \
      scenectl close SESSION.
      """,
    arguments: [
      .optional("SESSION", "the session; default: $SCENE_SESSION", .session),
      .optional("GENERATION", "its number in scenectl history"),
    ],
    options: [.timeout()],
    examples: [
      "scenectl restore packing": "The activity before the newest is current.",
      "scenectl restore packing 3": "Generation 3 is current.",
    ],
    exits: [
      .failure: "there is no earlier activity",
      .badData: "the broker does not keep that generation",
    ])
}

extension CommandContext {
  fileprivate func save() throws -> ExitCode {
    let (words, activity) = try saveArguments()
    let session = try findSessions(words)[0]
    let request = SaveActivity(session: session.identifier, activity: activity)
    let json = try result(of: request, about: session)
    // A program that saves for its own scene knows what it does.
    if session.details.summary.client != nil, environment["SCENE_SESSION"] == nil {
      warnOfNextSave(of: session)
    }
    return succeed(json)
  }

  /// The first word is the session, unless $SCENE_SESSION is set and the other arguments are
  /// complete.
  private func saveArguments() throws -> (words: [String], activity: Activity?) {
    let words = ["SESSION", "TYPE", "JSON"].compactMap { invocation.argument($0) }
    if invocation.has("clear") {
      guard words.count <= 1 else {
        throw invocation.usageError("--clear does not take TYPE and JSON")
      }
      return (try sessionArguments(), nil)
    }
    let own = environment["SCENE_SESSION"]
    switch (words.count, own) {
    case (3, _):
      return ([words[0]], try activity(type: words[1], userInfo: words[2]))
    case (2, let own?) where TypedActivity.parts(of: words[1]).json == nil:
      return ([own], try activity(type: words[0], userInfo: words[1]))
    case (2, _):
      return ([words[0]], try activity(from: words[1], what: "TYPE=JSON"))
    case (1, let own?):
      return ([own], try activity(from: words[0], what: "TYPE=JSON"))
    default:
      throw invocation.usageError("expected SESSION TYPE JSON, SESSION TYPE=JSON, or --clear")
    }
  }

  fileprivate func restore() throws -> ExitCode {
    // With $SCENE_SESSION, a single number is the generation.
    var words = ["SESSION", "GENERATION"].compactMap { invocation.argument($0) }
    if words.count == 1, Int64(words[0]) != nil, let own = environment["SCENE_SESSION"] {
      words.insert(own, at: 0)
    }
    let session = try findSessions(words.isEmpty ? try sessionArguments() : [words[0]])[0]
    let generation =
      if words.count == 2 { try number(words[1]) } else { try earlierGeneration(of: session) }
    let request = RestoreActivity(session: session.identifier, generation: generation)
    let json = try result(of: request, about: session)
    if printsJSON { console.print(json) }
    if session.details.summary.client != nil {
      warnOfNextSave(
        of: session,
        restored: try ControlConnection.read(RestoreActivity.Reply.self, from: json).generation)
    }
    return .success
  }

  private func number(_ word: String) throws -> Int64 {
    guard let number = Int64(word), number > 0 else {
      throw invocation.usageError(
        "GENERATION: expected a number that `scenectl history` shows, "
          + "found \"\(PlainText.escaped(word))\"")
    }
    return number
  }

  /// The withheld generation, or else the one before the newest.
  private func earlierGeneration(of session: FoundSession) throws -> Int64 {
    let summary = session.details.summary
    if let withheld = summary.withheld { return withheld.generation }
    let history = try request(SessionHistory(session: session.identifier))
    guard let earlier = history.generations.dropLast().last else {
      throw ProgramError(.failure, "\(summary.label) has no earlier activity")
    }
    return earlier.number
  }

  func warnOfNextSave(of session: FoundSession, restored generation: Int64? = nil) {
    let summary = session.details.summary
    let activity = generation == nil ? "this activity" : "the restored activity"
    var text = "scenectl: \(summary.label) is connected: its next save replaces \(activity)"
    if let generation {
      let lines = ["close \(summary.argument)", "restore \(summary.argument) \(generation)"]
      text += "\nClose the scene and restore the activity again: "
      text += lines.map { suggestions().line($0) }.joined(separator: " && ")
    }
    console.printError(text)
  }
}
