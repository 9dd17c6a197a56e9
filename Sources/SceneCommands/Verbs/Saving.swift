import CommandLine
import JSON
import SceneControl
import SceneModel
import ScenePlatform

extension Errand {
  // MARK: - save

  func save() throws(ProgramError) -> ExitCode {
    let (words, activity) = try whatToSave()
    let session = try find(words)[0]
    let request = SaveActivity(session: session.identifier, activity: activity)
    let json = try result(of: request, about: session)
    if printsJSON { console.print(json) }
    return .success
  }

  /// The session's word is the first, or left out where this is a scene's.
  private func whatToSave() throws(ProgramError) -> (words: [String], activity: Activity?) {
    let words = ["SESSION", "TYPE", "JSON"].compactMap { invocation.argument($0) }
    if invocation.has("clear") {
      guard words.count <= 1 else {
        throw usageFailure("--clear does not take TYPE and JSON")
      }
      return (try sessionWords(), nil)
    }
    let own = environment["SCENE_SESSION"]
    switch (words.count, own) {
    case (3, _):
      return ([words[0]], try activity(type: words[1], userInfo: words[2]))
    case (2, let own?) where TypedActivity.parts(of: words[1]).json == nil:
      return ([own], try activity(type: words[0], userInfo: words[1]))
    case (2, _):
      return ([words[0]], try givenActivity(words[1], what: "TYPE=JSON"))
    case (1, let own?):
      return ([own], try givenActivity(words[0], what: "TYPE=JSON"))
    default:
      throw usageFailure("expected SESSION TYPE JSON, SESSION TYPE=JSON, or --clear")
    }
  }

  func usageFailure(_ message: String) -> ProgramError {
    var failure = ProgramError(.usage, "\(message)\nTry '\(invocation.name) --help'.")
    failure.command = invocation.name
    return failure
  }

  /// An activity in one word: `TYPE=JSON`, or the same with a blank, or the whole of it as JSON.
  func givenActivity(_ text: String, what: String) throws(ProgramError) -> Activity {
    let what = what.hasPrefix("--") ? "option \(what)" : what
    do throws(MemberError) {
      if let activity = try TypedActivity.word(text) { return activity }
    } catch {
      throw ProgramError(.badData, PlainText.escaped("\(what): \(error)"))
    }
    throw usageFailure(
      (what.hasPrefix("option") ? "\(what): " : "") + TypedActivity.expectation
        + ", found \"\(PlainText.escaped(text))\"")
  }

  /// An activity with its userInfo as it was written, byte for byte.
  private func activity(type: String, userInfo: String) throws(ProgramError) -> Activity {
    let userInfo = try object(userInfo, what: "JSON")
    do throws(MemberError) {
      return try Activity(givenType: type, userInfo: userInfo)
    } catch {
      throw ProgramError(.badData, PlainText.escaped("\(error)"))
    }
  }

  /// A JSON object from the command line, or with `-` from standard input.
  func object(_ text: String, what: String) throws(ProgramError) -> RawJSON {
    let bytes = text == "-" ? try standardInput() : ContiguousArray(text.utf8)
    let document = JSONDocument()
    do throws(JSONError) {
      try document.read(bytes.span)
    } catch {
      let advice = text.first?.beginsJSON == true ? "\n" + Self.adviceOnQuotes : ""
      throw ProgramError(.badData, "\(what): \(error)\(advice)")
    }
    guard document.root.kind == .object else {
      throw ProgramError(
        .badData, "\(what): expected an object, found \(document.root.kind.withArticle)")
    }
    return document.root.raw
  }

  private static let adviceOnQuotes =
    #"Quote JSON for the shell, and quote each name and string in the JSON: '{"title": "x"}'"#

  /// All of standard input. What is longer than any frame need not be read to its end, unless
  /// `limit` says so.
  func standardInput(limit: Int = 16 << 20) throws(ProgramError) -> ContiguousArray<UInt8> {
    var bytes: ContiguousArray<UInt8> = []
    guard console.readsInput else { return bytes }
    var chunk = ContiguousArray<UInt8>(repeating: 0, count: 64 << 10)
    while true {
      switch chunk.withUnsafeMutableBytes({ StandardStream.input.read(into: $0) }) {
      case .bytes(let count):
        bytes.append(contentsOf: chunk[..<count])
        guard bytes.count < limit else {
          throw ProgramError(.badData, "standard input exceeds \(limit >> 20) MiB")
        }
      case .end:
        return bytes
      case .wouldBlock:
        throw ProgramError(
          .inputOutput, "cannot read standard input: it is nonblocking and has no data")
      case .failed(let code):
        throw ProgramError(.inputOutput, "cannot read standard input: \(code)")
      }
    }
  }

  // MARK: - call

  func call() throws(ProgramError) -> ExitCode {
    let params = try invocation.argument("JSON").map { text throws(ProgramError) in
      try object(text, what: "JSON")
    }
    let method = invocation.argument("METHOD") ?? ""
    let number = try ask { (broker) throws(ControlError) in
      broker.post(method: method, params: params ?? .emptyObject)
    }
    let isReload = method == Reload.method.description
    console.print(try finish(number, PlainText.escaped(method), listing: isReload))
    return .success
  }
}
