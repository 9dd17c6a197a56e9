import CommandLine
import SceneControl
import SceneModel

extension Errand {
  /// Gives an earlier activity back.
  func restore() throws(ProgramError) -> ExitCode {
    // The one word there is beside $SCENE_SESSION is the generation.
    var words = ["SESSION", "GENERATION"].compactMap { invocation.argument($0) }
    if words.count == 1, Int64(words[0]) != nil, let own = environment["SCENE_SESSION"] {
      words.insert(own, at: 0)
    }
    let session = try find(words.isEmpty ? try sessionWords() : [words[0]])[0]
    let generation =
      if words.count == 2 { try number(words[1]) } else { try earlierGeneration(of: session) }
    let request = RestoreActivity(session: session.identifier, generation: generation)
    let json = try result(of: request, about: session)
    if printsJSON { console.print(json) }
    if session.details.summary.client != nil {
      warnOfNextSave(of: session, after: try read(RestoreActivity.Reply.self, json).generation)
    }
    return .success
  }

  private func warnOfNextSave(of session: FoundSession, after generation: Int64) {
    let summary = session.details.summary
    let word = summary.argument
    console.complain(
      "scenectl: \(summary.label) is connected: its next save replaces the restored activity\n"
        + "Close the scene and restore the activity again: "
        + "\(advice().line("close \(word)")) && \(advice().line("restore \(word) \(generation)"))")
  }

  private func number(_ word: String) throws(ProgramError) -> Int64 {
    guard let number = Int64(word), number > 0 else {
      throw usageFailure(
        "GENERATION: expected a number that `scenectl history` shows, "
          + "found \"\(PlainText.escaped(word))\"")
    }
    return number
  }

  /// The one that is withheld, else the one before the newest.
  private func earlierGeneration(of session: FoundSession) throws(ProgramError) -> Int64 {
    let summary = session.details.summary
    if let withheld = summary.withheld { return withheld.generation }
    let history = try ask { broker throws(ControlError) in
      try broker.request(SessionHistory(session: session.identifier), until: patience())
    }
    guard let earlier = history.generations.dropLast().last else {
      throw ProgramError(.failure, "\(summary.label) has no earlier activity")
    }
    return earlier.number
  }

  /// Where a session keeps files of its own.
  func data() throws(ProgramError) -> ExitCode {
    let session = try findOne()
    let request = DataDirectory(session: session.identifier)
    let json = try result(of: request, about: session)
    if printsJSON {
      console.print(json)
    } else {
      console.print(try read(DataDirectory.Reply.self, json).path)
    }
    return .success
  }
}
