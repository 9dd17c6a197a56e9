import SceneCommandLine
import SceneControl
import ScenePlatform
package import SceneScript

extension ControlVerbs {
  /// The verbs of `scenectl`, without a process for each.
  package static let scenectl = scenectl(readsInput: true)

  /// The verbs of `scenectl`. Without `readsInput`, standard input is empty.
  package static func scenectl(readsInput: Bool) -> ControlVerbs {
    ControlVerbs(verbs: scenectlVerbs, usageProblem: usageProblem(in:)) { words, environment in
      let deadline = environment.deadline
      let printed = Printed()
      let console = Console(readsInput: readsInput) { (stream, bytes) throws(SystemError) in
        printed.add(bytes, to: stream)
      }
      let code = Scenectl.run(words, environment: environment.variables, console: console) {
        (path, client, timeout) throws(ControlError) in
        let connection = try Scenectl.openSocket(path, client, until: min(timeout, deadline))
        connection.horizon = deadline
        if environment.supportsNoWait(words) {
          connection.shouldAbandonWait = { environment.waitCannotFinish() }
        }
        return connection
      }
      return ControlVerbs.Outcome(
        code: code.rawValue, output: printed.output, errors: printed.errors,
        reason: code == .success ? nil : console.lastError?.reason ?? code.reason)
    }
  }

  @Sendable
  private static func usageProblem(in words: [String]) -> UsageError? {
    do throws(UsageError) {
      _ = try Scenectl.command.parse(words)
      return nil
    } catch {
      return error
    }
  }
}

/// The verbs that scripts can use.
private let scenectlVerbs: [ControlVerbs.Verb] = Verb.all.compactMap { verb in
  verb.scriptRole.map { (name: verb.name, role: $0) }
}

/// The output of a verb.
private final class Printed {
  private(set) var output = ""
  private(set) var errors = ""

  func add(_ bytes: ContiguousArray<UInt8>, to stream: StandardStream) {
    let text = String(decoding: bytes, as: UTF8.self)
    if stream == .output { output += text } else { errors += text }
  }
}
