import SceneCommandLine
import SceneJSON
import SceneManifest
import SceneModel
import ScenePlatform
import SceneServer

/// `--check`: reports problems of a valid command line and manifest.
enum ManifestCheck {
  static func report(on configuration: ServerConfiguration, prints: Bool) throws(SystemError) {
    let manifest = configuration.manifest
    let source = configuration.manifestSource?.name ?? "the built-in manifest"
    let warnings = configuration.manifestWarnings.map {
      PlainText.escaped("\(source): warning: \($0.line)") + "\n"
    }.joined()
    guard !prints else {
      try StandardStream.error.write(warnings)
      var writer = JSONWriter()
      manifest.write(to: &writer)
      let json = RawJSON(unchecked: writer.bytes)
      let text = StandardStream.output.isTerminal ? json.indented : "\(json)"
      return try StandardStream.output.write(text + "\n")
    }
    let verdict = warnings.isEmpty ? "; no problems found" : ""
    let line = PlainText.escaped("\(source): \(summary(of: manifest))\(verdict)")
    try StandardStream.output.write(line + "\n")
    try StandardStream.output.write(warnings)
  }

  private static func summary(of manifest: Manifest) -> String {
    if manifest.isClassic { return "a classic application: the manifest declares no scenes" }
    let roles = manifest.roles.filter { !$0.configurations.isEmpty }.map { role in
      "\(role.role) has " + role.configurations.map(\.name).joined(separator: ", ")
    }
    if manifest.roles == [.standard] {
      return "no configurations, so \(roles[0])"
    }
    return roles.isEmpty
      ? "no configurations; an application delegate must provide them"
      : roles.joined(separator: "; ")
  }
}
