import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel

/// The configurations of the manifest, and messages about a `--configuration` that the manifest
/// does not have. The broker then uses the first configuration of the role.
extension CommandContext {
  /// Warns if the session has another configuration, because the manifest does not have the named
  /// one. An application delegate can have chosen another one.
  func warnOfMissingConfiguration(of session: SessionIdentifier) {
    guard let wanted = invocation.value("configuration"),
      let summary = (try? findSessions([session.description]))?.first?.details.summary,
      summary.configuration != wanted, let complaint = configurationProblem()
    else { return }
    let made = "\(summary.label) uses \(PlainText.word(summary.configuration))"
    console.printError("scenectl: \(made): \(complaint)")
  }

  /// Adds the missing configuration to an error of the broker.
  func explainingMissingConfiguration<Reply>(_ body: () throws -> Reply) throws -> Reply {
    do {
      return try body()
    } catch {
      var failure = failure(for: error)
      if failure.reply != nil, let complaint = configurationProblem() {
        failure.message = "\(complaint)\n\(failure.message)"
      }
      throw failure
    }
  }

  /// Nil if the manifest has the configuration. The broker itself reports a configuration of
  /// another role.
  private func configurationProblem() -> String? {
    guard let wanted = invocation.value("configuration"),
      let names = try? configurations().map(\.name), !names.contains(wanted)
    else { return nil }
    return "the manifest has no configuration \(PlainText.word(wanted)); use one of "
      + names.map(PlainText.word).joined(separator: ", ")
  }

  /// All configurations in the manifest.
  func configurations() throws -> [(role: String, name: String, isLaunched: Bool)] {
    let manifest = try request(ApplicationManifest()).manifest
    guard let document = JSONDocument(reading: manifest.json.bytes),
      let roles = document.root["configurations"]?.members
    else { return [] }
    return roles.flatMap { role in
      role.value.elements.map {
        (role.name.string ?? "", $0["name"]?.string ?? "", $0["launch"] != nil)
      }
    }
  }
}
