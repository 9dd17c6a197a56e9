import CommandLine
import JSON
import SceneModel
import ScenePlatform
import SceneServer

/// `--check`: the command line and the manifest were read, so they are well.
enum ManifestCheck {
  static func report(on configuration: ServerConfiguration, prints: Bool) throws(SystemError) {
    let manifest = configuration.manifest
    guard !prints else {
      var writer = JSONWriter()
      manifest.write(to: &writer)
      return try StandardStream.output.write(
        String(decoding: writer.bytes, as: UTF8.self) + "\n")
    }
    let source = configuration.manifestSource?.name ?? "the built-in manifest"
    try StandardStream.output.write("\(source): \(summary(of: manifest)); all is well\n")
    if let remark = remark(on: manifest) { try StandardStream.output.write(remark + "\n") }
  }

  /// What a person must not take for done.
  static func remark(on manifest: Manifest) -> String? {
    let members = manifest.unheeded
    guard !members.isEmpty else { return nil }
    return "nothing comes of \(members.joined(separator: ", ")) in this version"
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
