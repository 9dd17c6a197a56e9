import SceneCommandLine
import SceneJSON
import ScenePlatform

/// The process that a terminal runs for ``TerminalWindow``, until it becomes the program.
enum WindowProgram {
  /// The properties of the program that a terminal does not pass on: its directory, and variables.
  struct Surroundings {
    let directory: String
    let variables: [String: String]

    /// Those of this process. `SCENE_OPENER` concerns only the opener.
    init(directory: String, environment: [String: String]) {
      self.directory = directory
      variables = environment.filter { $0.key.hasPrefix("SCENE_") && $0.key != Opener.variable }
    }

    var text: String {
      var writer = JSONWriter()
      writer.beginObject()
      writer.name("directory")
      writer.string(directory)
      writer.name("variables")
      writer.beginObject()
      for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
        writer.name(name)
        writer.string(value)
      }
      writer.endObject()
      writer.endObject()
      return String(decoding: writer.bytes, as: UTF8.self)
    }

    fileprivate init?(reading bytes: ContiguousArray<UInt8>) {
      let document = JSONDocument()
      guard (try? document.read(bytes.span)) != nil,
        let directory = document.root["directory"]?.string,
        let members = document.root["variables"]?.members
      else { return nil }
      self.directory = directory
      var variables: [String: String] = [:]
      for member in members {
        guard let name = member.name.string, let value = member.value.string else { return nil }
        variables[name] = value
      }
      self.variables = variables
    }
  }

  /// Becomes the program. Returns only if that fails.
  static func become(_ words: [String], connectedTo socket: String) -> ProgramError {
    do throws(SystemError) {
      let connection = try UnixSocket.connect(to: socket)
      guard let surroundings = Surroundings(reading: try connection.readToEnd(limit: 1 << 20))
      else { return ProgramError(.failure, "\(PlainText.word(socket)) belongs to no window") }
      try connection.setCloseOnExec(false)
      let error = execute(words, surroundings)
      try connection.write(error.description)
      return ProgramError(error.isNotFound ? .noCommand : .badCommand, error.description)
    } catch {
      return ProgramError(.failure, PlainText.escaped(error.description))
    }
  }

  private static func execute(_ words: [String], _ surroundings: Surroundings) -> SystemError {
    do throws(SystemError) {
      let path = try Executable.path(of: words, in: surroundings.directory)
      var changes: [String: String?] = surroundings.variables.mapValues { $0 }
      changes["PWD"] = surroundings.directory
      return CurrentProcess.execute(path, words, in: surroundings.directory, changing: changes)
    } catch {
      return error
    }
  }
}
