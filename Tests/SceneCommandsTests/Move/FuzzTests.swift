import SceneFuzzing
import SceneModel
import Testing

@testable import SceneCommands

@Suite("Fuzzed lines of a move", .fuzz)
struct FuzzTests {
  /// The lines of a stream in pieces.
  private func read(_ pieces: [ContiguousArray<UInt8>]) -> ([MoveLine], MoveChannelError?) {
    var (buffer, lines) = (MoveLineBuffer(), [MoveLine]())
    do throws(MoveChannelError) {
      for piece in pieces {
        buffer.append(piece.span)
        while let line = try buffer.next() { lines.append(line) }
      }
      return (lines, nil)
    } catch {
      return (lines, error)
    }
  }

  /// The source gets the lines when it reads, and each of its actions succeeds.
  private func playSource(_ lines: [MoveLine]) {
    var source = MoveSource(MoveOffer(), hasScene: false)
    var (action, rest) = (source.start(), lines[...])
    while true {
      let event: MoveSource.Event
      switch action {
      case .channel(.readLine):
        guard let line = rest.popFirst() else { return }
        event = .line(line)
      case .release(let fence):
        var session = MovedSession()
        session.fence = fence
        event = .content(session)
      case .show: event = .content(MovedSession())
      case .channel, .disconnect, .confirm, .takeBack: event = .done
      case .finish, .fail: return
      }
      guard let next = try? source.handle(event) else { return }
      action = next
    }
  }

  /// The same of the target.
  private func playTarget(_ lines: [MoveLine]) {
    var target = MoveTarget()
    var (action, rest) = (target.start(), lines[...])
    while true {
      let event: MoveTarget.Event
      switch action {
      case .channel(.readLine):
        guard let line = rest.popFirst() else { return }
        event = .line(line)
      case .check: event = .checked(fence: 0)
      case .adopt(let session, _):
        let arrival = MoveArrival(name: nil, generation: session.generation)
        event = .adopted(arrival, isNew: true)
      case .channel, .write: event = .done
      case .finish, .fail: return
      }
      guard let next = try? target.handle(event) else { return }
      action = next
    }
  }

  /// The first byte of an input is the length of the first piece.
  @Test(
    "any lines in any pieces are read as they are written, and either end takes or refuses them")
  func move() throws {
    try Fuzz.play("move") { bytes in
      let stream = ContiguousArray(bytes.dropFirst())
      let cut = min(stream.count, Int(bytes.first ?? 0))
      let (lines, error) = read([stream])
      let pieces = read([ContiguousArray(stream[..<cut]), ContiguousArray(stream[cut...])])
      #expect(pieces.0 == lines && pieces.1 == error)
      for line in lines {
        let again = try MoveLine(line.bytes.dropLast())
        #expect(again == line)
      }
      playSource(lines)
      playTarget(lines)
    }
  }
}
