import CommandLine
import JSON
import SceneManifest
import SceneModel
import ScenePlatform
import SceneServer

/// `--check`: the command line and the manifest were read, so they are well.
enum ManifestCheck {
  static func report(on configuration: ServerConfiguration, prints: Bool) throws(SystemError) {
    let manifest = configuration.manifest
    let source = configuration.manifestSource?.name ?? "the built-in manifest"
    let problems = problems(in: configuration)
    let warnings = problems.map { PlainText.escaped("\(source): warning: \($0)") + "\n" }.joined()
    guard !prints else {
      try StandardStream.error.write(warnings)
      var writer = JSONWriter()
      manifest.write(to: &writer)
      let json = RawJSON(unchecked: writer.bytes)
      let text = StandardStream.output.isTerminal ? json.indented : "\(json)"
      return try StandardStream.output.write(text + "\n")
    }
    let verdict = problems.isEmpty ? "; all is well" : ""
    let line = PlainText.escaped("\(source): \(summary(of: manifest))\(verdict)")
    try StandardStream.output.write(line + "\n")
    try StandardStream.output.write(warnings)
  }

  /// The warnings of the manifest's reader, and the programs that cannot be started now. Such a
  /// program may be there when it is needed.
  static func problems(in configuration: ServerConfiguration) -> [String] {
    let directory = configuration.manifestSource?.directory
    let obstacles = configuration.manifest.roles.flatMap { role in
      role.configurations.compactMap { configuration in
        role.launches[configuration.name]?.obstacle(in: directory).map {
          "the launch command of \(PlainText.word(configuration.name)): \($0)"
        }
      }
    }
    return configuration.manifestWarnings.map(\.line) + obstacles
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
