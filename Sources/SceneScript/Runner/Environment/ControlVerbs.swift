package import SceneCommandLine

/// The verbs of `scenectl`, run in this process.
package struct ControlVerbs: Sendable {
  /// The exit code and the output of a verb.
  package struct Outcome: Equatable, Sendable {
    package var code: Int32
    package var output: String
    package var errors: String
    /// The stable name of the error, such as `sessionInUse`.
    package var reason: String?

    package init(code: Int32, output: String, errors: String, reason: String?) {
      self.code = code
      self.output = output
      self.errors = errors
      self.reason = reason
    }
  }

  package typealias Verb = (name: String, role: ScriptVerb.Role)

  package let verbs: [Verb]
  /// Checks a command line that begins with the verb; nil means valid.
  package let usageProblem: @Sendable ([String]) -> UsageError?
  /// Runs a command line. The verb fails at the deadline of the environment.
  package let run: @Sendable (_ words: [String], _ environment: ScriptEnvironment) -> Outcome

  package init(
    verbs: [Verb], usageProblem: @escaping @Sendable ([String]) -> UsageError?,
    run: @escaping @Sendable ([String], ScriptEnvironment) -> Outcome
  ) {
    self.verbs = verbs
    self.usageProblem = usageProblem
    self.run = run
  }
}
