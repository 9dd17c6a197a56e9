/// The process has no command line, not even a name.
package struct MissingArguments: Error, Equatable, Sendable, CustomStringConvertible {
  package init() {}

  package var description: String {
    "the command line is missing: the C library passed no arguments; start the program by its name"
  }
}
