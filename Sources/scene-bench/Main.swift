import CommandLine
import JSON
import ScenePlatform

@main
enum SceneBench {
  static func main() {
    do {
      switch try benchCommand.parse(Array(CommandLine.arguments.dropFirst())) {
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
    let count = invocation.integer("sessions") ?? 0
    let directory = invocation.argument("DIRECTORY") ?? ""
    let figures =
      if invocation.verb == "frames" {
        try FrameFiles.make(
          in: directory, socket: invocation.argument("SOCKET") ?? "", sessionCount: count)
      } else {
        try MadeJournal.write(to: directory, sessionCount: count)
      }
    try print(figures)
  }

  private static func print(_ figures: KeyValuePairs<String, Int>) throws {
    var writer = JSONWriter()
    writer.beginObject()
    for (name, value) in figures {
      writer.name(name)
      writer.integer(value)
    }
    writer.endObject()
    writer.bytes.append(UInt8(ascii: "\n"))
    try StandardStream.output.write(writer.bytes.span.bytes)
  }

  private static func fail(_ message: String, _ code: ExitCode) -> Never {
    try? StandardStream.error.write("scene-bench: \(message)\n")
    CurrentProcess.exit(code.rawValue)
  }
}
