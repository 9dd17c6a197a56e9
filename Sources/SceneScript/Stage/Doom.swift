import CommandLine
import SceneControl
import SceneModel
import ScenePlatform

/// The point of its way at which a broker is to die, because somebody wants it to.
struct Doom: Equatable, Sendable {
  enum Fate: Equatable, Sendable {
    /// The broker goes on, and may come to it.
    case ahead
    /// It has died there, during the line that is being done.
    case met
    /// It ended otherwise, or has been told another point since.
    case missed
  }

  /// As it was asked for, such as `--before recordAppended`.
  var point: String
  /// The line of the script that did; none asks in a test in Swift.
  var line: Script.Line?
  var fate = Fate.ahead
  /// The point that has taken its place before the broker came to it.
  var successor: String?
}

extension Stage {
  /// A broker knows one point at a time: of one that another takes the place of it is told at once.
  func beginDoom(at point: String) throws(StepFailure) {
    if doom?.fate == .ahead {
      doom?.fate = .missed
      doom?.successor = point
    }
    if let missedDoom { throw .broken(missedDoom.sentence) }
    doom = Doom(point: point, line: scriptLine)
  }

  /// A line begins. Who has died in the one before has done so.
  func forgetMetDoom() {
    if doom?.fate == .met { doom = nil }
  }

  /// Whether the broker that is there may die at any time.
  var isDoomed: Bool { broker != nil && doom?.fate == .ahead }

  func missDoom() {
    if doom?.fate == .ahead { doom?.fate = .missed }
  }

  /// A broker that may have come to its point has ended, sent a signal or not.
  func settleDoom(_ end: ProcessEnd, by signal: Signal?) {
    guard doom?.fate == .ahead else { return }
    doom?.fate = end == .signalled(.kill) && signal != .kill ? .met : .missed
  }

  /// Whether the broker has died during this line, where it was told to. Then it is gone for
  /// everybody.
  func seesDoom() -> Bool {
    if isDoomed, let broker {
      do throws(ControlError) {
        _ = try broker.control.request(Ping(), until: deadline)
      } catch {
        _ = brokerFailure(error)
      }
    }
    return doom?.fate == .met
  }

  /// What is wrong where nothing ran into the point.
  var missedDoom: RuleBreach? {
    guard let doom, doom.fate == .missed else { return nil }
    let why =
      doom.successor.map {
        "the broker, which knows one point at a time, was told \(PlainText.escaped($0)) before it had "
          + "come to it"
      } ?? "the broker had not come to it when it ended"
    return RuleBreach(
      sentence: "nothing ran into the point \(PlainText.escaped(doom.point)): \(why)",
      line: doom.line)
  }
}
