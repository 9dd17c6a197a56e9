import CommandLine

extension Errand {
  func completion() throws(Failure) -> ExitCode {
    guard let shell = invocation.argument("SHELL").flatMap(Shell.init(rawValue:)) else {
      preconditionFailure("the table lets only shells through")
    }
    console.print(
      Scenectl.command(of: Verb.allCases).completionScript(for: shell), terminator: "")
    return .yes
  }

  func manual() throws(Failure) -> ExitCode {
    console.print(Scenectl.command(of: Verb.allCases).manualPage(), terminator: "")
    return .yes
  }
}
