import SceneCommandLine
import SceneJSON
import SceneModel
import ScenePlatform
import SceneWire

extension CommandContext {
  /// An activity in one word: `TYPE=JSON`, `TYPE JSON`, or the complete activity as JSON.
  func activity(from text: String, what: String) throws -> Activity {
    let parts = TypedActivity.parts(of: text)
    if let json = parts.json, Self.isElsewhere(json) {
      return try activity(type: parts.type, userInfo: json)
    }
    let what = what.hasPrefix("--") ? "option \(what)" : what
    if let activity = try member(TypedActivity.word(text), of: "\(what): ") { return activity }
    throw invocation.usageError(
      (what.hasPrefix("option") ? "\(what): " : "") + TypedActivity.expectation
        + ", found \"\(PlainText.escaped(text))\"")
  }

  /// An activity. The bytes of its userInfo do not change.
  func activity(type: String, userInfo: String) throws -> Activity {
    try Activity(givenType: type, userInfo: object(userInfo, what: "JSON"))
  }

  /// The value of a member of a message. Its error becomes the error of the input.
  func member<Value>(_ value: @autoclosure () throws -> Value, of input: String) throws -> Value {
    do {
      return try value()
    } catch let error as MemberError {
      throw ProgramError(.badData, PlainText.escaped("\(input)\(error)"))
    }
  }

  /// Whether a word stands for the content of a file or of standard input.
  static func isElsewhere(_ text: String) -> Bool { text == "-" || text.hasPrefix("@") }

  /// A JSON object from the command line, as `json` reads it.
  func object(_ text: String, what: String) throws -> RawJSON {
    try json(text, what: what, isObject: true)
  }

  /// JSON from the command line. `@FILE` reads a file, and `-` standard input.
  func json(_ text: String, what: String, isObject: Bool = false) throws -> RawJSON {
    var (what, bytes) = (what, ContiguousArray(text.utf8))
    if text == "-" { bytes = try standardInput() }
    if text.hasPrefix("@") {
      let file = String(text.dropFirst())
      bytes = try File.read(file, limit: Self.inputLimit)
      what += " in \(PlainText.word(file))"
    }
    let document = JSONDocument()
    do {
      try document.read(bytes.span)
    } catch {
      let advice = text.first?.beginsJSON == true ? "\n" + Self.adviceOnQuotes : ""
      throw ProgramError(.badData, "\(what): \(error)\(advice)")
    }
    guard !isObject || document.root.kind == .object else {
      throw ProgramError(
        .badData, "\(what): expected an object, found \(document.root.kind.withArticle)")
    }
    return document.root.raw
  }

  private static let adviceOnQuotes =
    #"Quote JSON for the shell, and quote each name and string in the JSON: '{"title": "x"}'"#

  /// A limit for inputs that exceeds the longest frame, in bytes.
  private static let inputLimit = 16 << 20

  /// All of standard input, up to a limit.
  func standardInput(limit: Int = inputLimit) throws -> ContiguousArray<UInt8> {
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

  /// An object of `NAME=VALUE` arguments. A value that is not JSON is a string.
  func object(of members: [String]) throws -> OpaqueObject {
    var writer = JSONWriter()
    writer.beginObject()
    for member in members {
      guard let sign = member.firstIndex(of: "="), sign != member.startIndex else {
        throw invocation.usageError(
          "option --where: expected NAME=VALUE, such as list=inbox, found "
            + "\"\(PlainText.escaped(member))\"")
      }
      let text = String(member[member.index(after: sign)...])
      writer.name(String(member[..<sign]))
      if let value = try? RawJSON(validating: text.utf8) {
        writer.raw(value)
      } else {
        writer.string(text)
      }
    }
    writer.endObject()
    do {
      return OpaqueObject(unchecked: try RawJSON(validating: writer.bytes))
    } catch {
      throw invocation.usageError("option --where: \(error)")
    }
  }

  /// Writes a text to a file, or for `-` to standard output.
  func write(_ page: String, to path: String) throws {
    if path == "-" { return console.print(page, terminator: "") }
    try File.write(page.utf8, to: path, mode: 0o666)
  }
}
