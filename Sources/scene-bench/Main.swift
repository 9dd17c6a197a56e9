import SceneCommandLine
import SceneJSON
import ScenePlatform

@main
enum SceneBench {
  static func main() {
    do {
      let words = try Arguments.text(of: CurrentProcess.arguments, for: benchCommand.name)
      switch try benchCommand.parse(words) {
      case .print(let text): try StandardStream.output.write(text)
      case .run(let invocation): try run(invocation)
      }
    } catch let error as UsageError {
      fail(error.description, .usage)
    } catch {
      fail("\(error)", .inputOutput)
    }
  }

  private static func run(_ invocation: Invocation) throws {
    switch invocation.verb {
    case "frames":
      try print(
        FrameFiles.make(
          in: invocation.argument("DIRECTORY") ?? "", socket: invocation.argument("SOCKET") ?? "",
          sessionCount: invocation.integer("sessions") ?? 0,
          activityByteCount: invocation.integer("activity") ?? 0))
    case "journal":
      try print(
        MadeJournal.write(
          to: invocation.argument("DIRECTORY") ?? "",
          sessionCount: invocation.integer("sessions") ?? 0))
    default:
      let rounds = try InsideRounds(clientCount: invocation.integer("clients") ?? 0)
      try print(
        rounds.run(
          invocation.argument("KIND") ?? "", roundCount: invocation.integer("rounds") ?? 0))
    }
  }

  private static func print(_ figures: KeyValuePairs<String, Int>) throws {
    var writer = JSONWriter()
    writer.beginObject()
    for (name, value) in figures {
      writer.name(name)
      writer.integer(value)
    }
    writer.endObject()
    writer.output.append(UInt8(ascii: "\n"))
    try StandardStream.output.write(writer.bytes.span.bytes)
  }

  private static func fail(_ message: String, _ code: ExitCode) -> Never {
    try? StandardStream.error.write("scene-bench: \(message)\n")
    CurrentProcess.exit(code.rawValue)
  }
}
