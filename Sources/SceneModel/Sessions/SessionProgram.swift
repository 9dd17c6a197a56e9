/// The command of a session's window, which can run again later. Of the environment, it has only
/// the variables that the user names.
package struct SessionProgram: Equatable, Hashable, Sendable {
  /// The name of the program and its arguments.
  package var arguments: [String]
  /// The working directory, an absolute path.
  package var directory: String
  /// The command that continues the session; nil if it is `arguments`.
  package var resume: [String]?
  /// Variables for the environment of the command, each as NAME=VALUE; nil without any.
  package var environment: [String]?
  /// Seconds until `scene` runs the program again after a failure; 0 for never, nil if the
  /// session's configuration decides.
  package var retry: Double?
  /// Whether `scenectl reopen` runs the command again.
  package var reopens = true
  /// Whether the program connects to the session itself. Otherwise `scene` runs it.
  package var connects = false
  /// Whether a closed terminal closes the window; nil for the setting of the user.
  package var onHangup: HangupAction?
  /// The shell command that shows the window when it is activated; nil for the setting of the user.
  package var onActivate: String?
  /// The host that published the command, until a scene of this host runs it; nil for a command
  /// that the user of this host chose.
  package var from: String?

  package init(
    arguments: [String], directory: String, resume: [String]? = nil, environment: [String]? = nil,
    retry: Double? = nil, reopens: Bool = true, connects: Bool = false
  ) {
    self.arguments = arguments
    self.directory = directory
    self.resume = resume
    self.environment = environment
    self.retry = retry
    self.reopens = reopens
    self.connects = connects
  }

  /// The command for the next run.
  package var nextArguments: [String] { resume ?? arguments }

  /// Whether both start the same command in the same directory.
  package func startsAs(_ other: SessionProgram) -> Bool {
    arguments == other.arguments && directory == other.directory
  }

  /// The title of a session without a title of its own.
  package var title: String {
    arguments.joined(separator: " ").clipped(to: Self.titleByteLimit)
  }

  package static let titleByteLimit = 200

  /// The first mistake in the program; nil if a process can start with it.
  package var problem: String? {
    for (name, words) in [("arguments", arguments), ("resume", resume ?? arguments)] {
      guard let first = words.first, !first.isEmpty else {
        return "\(name): expected the name of a program, and its arguments"
      }
      if words.contains(where: { $0.utf8.contains(0) }) {
        return "\(name): an argument cannot contain a NUL character"
      }
    }
    if onActivate?.utf8.contains(0) == true {
      return "onActivate: a command cannot contain a NUL character"
    }
    if let problem = environmentProblem { return "environment: \(problem)" }
    if let retry, retry != 0, !RetryTime.contains(retry) {
      return "retry: expected 0, or \(RetryTime.expectation)"
    }
    if let from, let problem = HostName.problem(with: from) { return "from: \(problem)" }
    guard directory.hasPrefix("/"), !directory.utf8.contains(0) else {
      return "directory: expected an absolute path"
    }
    return nil
  }

  /// The first mistake in the variables; nil without one.
  package var environmentProblem: String? {
    guard let environment else { return nil }
    for variable in environment {
      let name = variable.prefix { $0 != "=" }
      if name.isEmpty || name.endIndex == variable.endIndex || variable.utf8.contains(0) {
        return "expected NAME=VALUE, found \"\(variable)\""
      }
      if name.hasPrefix("SCENE_") { return "\(name) cannot be set: scene sets it" }
    }
    let count = environment.reduce(0) { $0 + $1.utf8.count }
    guard count <= Self.environmentByteLimit else {
      return "the variables have \(count) bytes; the limit is \(Self.environmentByteLimit)"
    }
    return nil
  }

  package static let environmentByteLimit = 4096

  /// The size for the limit `storedBytes`.
  package var byteCount: Int {
    let settings = [onHangup?.rawValue, onActivate, from].compactMap(\.self)
    let words = arguments + (resume ?? []) + (environment ?? []) + settings
    return words.reduce(directory.utf8.count + Self.baseByteCount) { count, word in
      count + word.utf8.count + Self.wordByteCount
    }
  }

  private static let baseByteCount = 64
  private static let wordByteCount = 16
}

extension SessionProgram: JSONStructure {
  package init() { self.init(arguments: [], directory: "") }

  package mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.required("arguments", &arguments)
    try visitor.required("directory", &directory)
    try visitor.optional("resume", &resume)
    try visitor.optional("environment", &environment)
    try visitor.optional("retry", &retry)
    try visitor.optional("reopen", &reopens, otherwise: true)
    try visitor.optional("connects", &connects, otherwise: false)
    try visitor.optional("onHangup", &onHangup)
    try visitor.optional("onActivate", &onActivate)
    try visitor.optional("from", &from)
  }
}

/// The time until `scene` runs a program again that has failed.
package enum RetryTime {
  /// In seconds.
  private static let range = 0.001...3600

  package static let expectation = "0.001 to 3600 seconds"

  package static func contains(_ seconds: Double) -> Bool { range.contains(seconds) }

  /// The time as a word of a command line.
  package static func word(_ seconds: Double) -> String {
    seconds == 0 ? "0" : Interval(seconds: seconds)?.phrase.filter { $0 != " " } ?? "0"
  }
}
