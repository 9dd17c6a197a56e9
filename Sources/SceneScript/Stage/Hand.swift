/// How a script acts as the user does: the verbs of `scenectl`, in this process.
package struct Hand: Sendable {
  /// One of its verbs.
  package struct Verb: Sendable {
    package var name: String
    package var role: ScriptVerb.Role

    package init(_ name: String, _ role: ScriptVerb.Role) {
      self.name = name
      self.role = role
    }
  }

  /// What is wrong with a command line.
  package struct Complaint: Equatable, Sendable {
    package var message: String
    /// Which of its words that is about.
    package var index: Int?

    package init(_ message: String, at index: Int? = nil) {
      self.message = message
      self.index = index
    }
  }

  /// What such a verb came to.
  package struct Outcome: Equatable, Sendable {
    package var code: Int32
    package var output: String
    package var errors: String
    /// The stable name of what went wrong, such as `sessionInUse`.
    package var reason: String?

    package init(code: Int32, output: String, errors: String, reason: String?) {
      self.code = code
      self.output = output
      self.errors = errors
      self.reason = reason
    }
  }

  /// The verbs that a script may use.
  package let verbs: [Verb]
  /// What is wrong with a command line, verb included; nil if nothing is.
  package let complaint: @Sendable ([String]) -> Complaint?
  /// Does it for those on a stage. By the stage's deadline it has failed.
  package let act: @Sendable (_ words: [String], _ stage: Stage) -> Outcome

  package init(
    verbs: [Verb], complaint: @escaping @Sendable ([String]) -> Complaint?,
    act: @escaping @Sendable ([String], Stage) -> Outcome
  ) {
    self.verbs = verbs
    self.complaint = complaint
    self.act = act
  }
}
