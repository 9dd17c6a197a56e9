import SceneHandoff
import SceneModel
import Testing

@testable import SceneCommands

@Suite("the lines of a move")
struct MoveLineTests {
  private static let session: MovedSession = {
    var session = MovedSession()
    session.generation = 12
    session.fence = 3
    session.files = [MovedFile(name: "a/b", content: [0, 255, 10])]
    session.skippedFiles = 2
    return session
  }()

  @Test(
    "a line survives writing and reading",
    arguments: [
      MoveLine.offer(MoveOffer()), .accept(MoveAcceptance(fence: 4)),
      .refuse(MoveRefusal("no", status: 65)), .session(session),
      .adopted(MoveArrival(name: nil, generation: 1)),
    ])
  func roundTrip(line: MoveLine) throws {
    #expect(line.bytes.last == UInt8(ascii: "\n"))
    #expect(try MoveLine(line.bytes.dropLast()) == line)
  }

  @Test("lines arrive in any pieces")
  func pieces() throws {
    let lines = [MoveLine.accept(MoveAcceptance(fence: 4)), .session(Self.session)]
    let bytes = ContiguousArray(lines.flatMap(\.bytes))
    var (buffer, read) = (MoveLineBuffer(), [MoveLine]())
    for byte in bytes {
      buffer.append([byte].span)
      while let line = try buffer.next() { read.append(line) }
    }
    #expect(read == lines)
  }

  /// The error after this text.
  private func error(after text: ContiguousArray<UInt8>) -> MoveChannelError? {
    var buffer = MoveLineBuffer()
    buffer.append(text.span)
    do throws(MoveChannelError) {
      while try buffer.next() != nil {}
      return nil
    } catch {
      return error
    }
  }

  @Test("the output of a shell profile is not an invalid line")
  func profile() {
    let line = #"{"accept":{}}"# + "\n"
    #expect(error(after: ContiguousArray(("Welcome!\n" + line).utf8)) == .foreign("Welcome!"))
    #expect(
      error(after: ContiguousArray((line + "Welcome!\n").utf8))
        == .invalid(MemberError(problem: "expected a JSON value, found \"Welcome\" at byte 0")))
  }

  @Test(
    "an invalid line names its problem",
    arguments: [
      (#"{"accept":"#, "unexpected end of the JSON at byte 10"),
      ("{}", "expected an object with a member, found an object"),
      (#"{"new":1}"#, "new: unknown line"),
      (#"{"refuse":{}}"#, "refuse.message: missing; expected a string"),
      (
        #"{"session":{"sceneSession":{},"generation":1,"fence":1}}"#,
        "session.sceneSession.persistentIdentifier: missing"
      ),
    ])
  func invalid(text: String, problem: String) {
    guard case .invalid(let found)? = error(after: ContiguousArray((text + "\n").utf8)) else {
      Issue.record("the line is valid")
      return
    }
    #expect("\(found)".hasPrefix(problem), "\(found)")
  }

  @Test("a line has at most 24 MiB")
  func length() {
    let letters = ContiguousArray(repeating: UInt8(ascii: "{"), count: MoveLine.byteLimit)
    #expect(error(after: letters) == .tooLong)
    #expect(error(after: ContiguousArray(letters.dropLast())) == nil)
  }
}
