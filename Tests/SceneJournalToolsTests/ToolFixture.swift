import SceneCommandLine
import SceneJSON
import SceneJournalTools
import SceneModel
import SceneTestSupport

/// An identifier that ends in this number.
func identifier(_ number: Int) -> SessionIdentifier {
  SessionIdentifier(high: 0xAAAA_BBBB_0000_0000 + UInt64(number), low: 1)
}

func session(_ number: Int, name: String? = nil) -> Record {
  .session(
    SessionAttributes(
      identifier: identifier(number), name: name, configuration: SceneConfiguration()))
}

func activity(_ number: Int, _ generation: Int64) throws -> Record {
  let json = try RawJSON(
    validating: Array(#"{"activityType":"note","userInfo":{}}"#.utf8), maximumDepth: 8)
  return .activity(
    Generation(
      session: identifier(number), number: generation, activity: Activity(unchecked: json),
      saved: 1))
}

func discard(_ number: Int) -> Record { .discard(Discard(session: identifier(number))) }

extension StateDirectory {
  func verify() throws(ProgramError) -> JournalVerification {
    try JournalVerification(of: path, showing: nil)
  }

  /// The printed records, the line about the rest, and the error that ended the dump.
  func dump() -> (lines: [String], tail: String?, error: ProgramError?) {
    let printed = Printed()
    do throws(ProgramError) {
      let tail = try JournalDump.run(path) { printed.lines.append($0) }
      return (printed.lines, tail, nil)
    } catch {
      return (printed.lines, nil, error)
    }
  }

  /// Reads the intact records and writes them into a directory that this value removes.
  func recover() throws -> RecoveredDirectory {
    let target = RecoveredDirectory(path + "-salvaged")
    let recovery = try JournalRecovery(of: path, showing: nil)
    try recovery.write(into: target.path, showing: nil)
    target.lines = recovery.lines(into: target.path)
    return target
  }
}

final class Printed {
  var lines: [String] = []
}
