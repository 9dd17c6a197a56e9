import CommandLine
import JSON
import SceneModel
import ScenePlatform
import SceneServer

/// `--check`: the command line and the manifest were read, so they are well.
enum ManifestCheck {
  static func report(on configuration: ServerConfiguration, prints: Bool) throws(SystemError) {
    let manifest = configuration.manifest
    let source = configuration.manifestSource?.name ?? "the built-in manifest"
    let obstacles = obstacles(in: configuration)
    let warnings = obstacles.map { PlainText.escaped("\(source): warning: \($0)") + "\n" }.joined()
    guard !prints else {
      try StandardStream.error.write(warnings)
      var writer = JSONWriter()
      manifest.write(to: &writer)
      let json = RawJSON(unchecked: writer.bytes)
      let text = StandardStream.output.isTerminal ? json.indented : "\(json)"
      return try StandardStream.output.write(text + "\n")
    }
    let verdict = obstacles.isEmpty ? "; all is well" : ""
    let line = PlainText.escaped("\(source): \(summary(of: manifest))\(verdict)")
    try StandardStream.output.write(line + "\n")
    try StandardStream.output.write(warnings)
  }

  /// Programs that could not be started now; they may be there when they are needed.
  static func obstacles(in configuration: ServerConfiguration) -> [String] {
    let directory = configuration.manifestSource?.directory
    return configuration.manifest.roles.flatMap { role in
      role.configurations.compactMap { configuration in
        role.launches[configuration.name]?.obstacle(in: directory).map {
          "the launch command of \(PlainText.word(configuration.name)): \($0)"
        }
      }
    }
  }

  private static func summary(of manifest: Manifest) -> String {
    if manifest.isClassic { return "a classic application, which says nothing of scenes" }
    let roles = manifest.roles.filter { !$0.configurations.isEmpty }.map { role in
      "\(role.role) has " + role.configurations.map(\.name).joined(separator: ", ")
    }
    return roles.isEmpty
      ? "no configurations, so an application delegate has to give them"
      : roles.joined(separator: "; ")
  }
}
