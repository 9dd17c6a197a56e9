/// The verbs of `scenectl`, run in this process.
package struct ControlVerbs: Sendable {
  package struct Verb: Sendable {
    package var name: String
    package var role: ScriptVerb.Role

    package init(_ name: String, _ role: ScriptVerb.Role) {
      self.name = name
      self.role = role
    }
  }

  /// An error in a command line.
  package struct UsageProblem: Equatable, Sendable {
    package var message: String
    /// The index of the wrong word, if the error is about one word.
    package var index: Int?

    package init(_ message: String, at index: Int? = nil) {
      self.message = message
      self.index = index
    }
  }

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

  package let verbs: [Verb]
  /// Checks a command line that begins with the verb; nil means valid.
  package let usageProblem: @Sendable ([String]) -> UsageProblem?
  /// Runs a command line. The verb fails at the deadline of the environment.
  package let run: @Sendable (_ words: [String], _ environment: ScriptEnvironment) -> Outcome

  package init(
    verbs: [Verb], usageProblem: @escaping @Sendable ([String]) -> UsageProblem?,
    run: @escaping @Sendable ([String], ScriptEnvironment) -> Outcome
  ) {
    self.verbs = verbs
    self.usageProblem = usageProblem
    self.run = run
  }
}
