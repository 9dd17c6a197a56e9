package import SceneModel

extension SceneSession {
  /// The command that opens a session again, for example after a restart of the machine. It has no
  /// environment, and at most 16 KiB as JSON by default.
  public struct Program: Hashable, Sendable {
    /// The name of the program and its arguments.
    public var arguments: [String]
    /// The working directory, an absolute path.
    public var directory: String
    /// The command that continues the session; nil if it is ``arguments``.
    public var resume: [String]?
    /// Whether `scenectl reopen` runs the command again.
    public var reopens: Bool
    /// Whether the program connects to the session itself. Otherwise `scene` runs the program, as
    /// `scene NAME -- COMMAND` does.
    public var connects: Bool

    /// Makes the command of a session.
    ///
    /// - Parameters:
    ///   - arguments: the name of the program, which is not empty, and its arguments. The command
    ///     has at most 16 KiB as JSON by default.
    ///   - directory: the working directory: an absolute path, part of the 16 KiB.
    ///   - resume: the command that continues the session, part of the 16 KiB; nil if it is
    ///     `arguments`.
    ///   - reopens: whether `scenectl reopen` runs the command again.
    ///   - connects: whether the program connects to the session itself.
    public init(
      arguments: [String], directory: String, resume: [String]? = nil, reopens: Bool = true,
      connects: Bool = true
    ) {
      self.arguments = arguments
      self.directory = directory
      self.resume = resume
      self.reopens = reopens
      self.connects = connects
    }

    package init(_ program: SessionProgram) {
      self.init(
        arguments: program.arguments, directory: program.directory, resume: program.resume,
        reopens: program.reopens, connects: program.connects)
    }

    /// The program in wire form.
    package var message: SessionProgram {
      SessionProgram(
        arguments: arguments, directory: directory, resume: resume, reopens: reopens,
        connects: connects)
    }
  }
}
