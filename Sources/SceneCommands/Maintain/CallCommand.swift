import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel
import SceneScript

extension Verb {
  static let call = Verb(
    "call", "Send any request and print the result.", script: .acts, run: CommandContext.call,
    arguments: [
      .required("METHOD", "the method, such as session/list"),
      .optional("JSON", "its parameters, an object; `@FILE` reads a file, `-` standard input"),
    ],
    options: [.timeout()],
    examples: [
      "scenectl call broker/ping": "Prints {}.",
      "scenectl call session/list '{\"state\": \"background\"}'":
        "Prints the sessions in the background.",
    ],
    exits: [.badData: "the method is unknown, or a parameter is invalid"])
}

extension CommandContext {
  fileprivate func call() throws -> ExitCode {
    let params = try invocation.argument("JSON").map { try object($0, what: "JSON") }
    let method = invocation.argument("METHOD") ?? ""
    let number = try broker.post(method: method, params: params ?? .emptyObject)
    let isReload = method == Reload.method.description
    let label = PlainText.escaped(method)
    console.print(
      try isReload ? replyListingErrors(to: number, label) : awaitedReply(to: number, label))
    return .success
  }
}
