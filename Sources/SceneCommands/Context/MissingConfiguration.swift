import SceneCommandLine
import SceneControl
import SceneJSON
import SceneModel

/// Messages about a `--configuration` that the manifest does not have. The broker then uses the
/// first configuration of the role.
extension CommandContext {
  /// Warns if a new session has another configuration.
  func warnOfMissingConfiguration(of session: SessionIdentifier) {
    guard let wanted = invocation.value("configuration"),
      let summary = (try? findSessions([session.description]))?.first?.details.summary,
      summary.configuration != wanted, let complaint = configurationProblem()
    else { return }
    let made = "\(summary.label) uses \(PlainText.word(summary.configuration))"
    console.printError("scenectl: \(made): \(complaint)")
  }

  /// Adds the missing configuration to an error of the broker.
  func explainingMissingConfiguration(
    _ body: () throws(ProgramError) -> RawJSON
  ) throws(ProgramError) -> RawJSON {
    do throws(ProgramError) {
      return try body()
    } catch {
      var failure = error
      if error.reply != nil, let complaint = configurationProblem() {
        failure.message = "\(complaint)\n\(failure.message)"
      }
      throw failure
    }
  }

  /// Nil if the manifest has the configuration. The broker itself reports a configuration of
  /// another role.
  private func configurationProblem() -> String? {
    guard let wanted = invocation.value("configuration"), let names = try? configurations(),
      !names.contains(wanted)
    else { return nil }
    return "the manifest has no configuration \(PlainText.word(wanted)); use one of "
      + names.map(PlainText.word).joined(separator: ", ")
  }

  /// The names of all configurations in the manifest.
  private func configurations() throws(ProgramError) -> [String] {
    let reply = try request(ApplicationManifest())
    let document = JSONDocument()
    guard (try? document.read(reply.manifest.json.bytes.span)) != nil,
      let roles = document.root["configurations"]
    else { return [] }
    return roles.members.flatMap { role in role.value.elements.compactMap { $0["name"]?.string } }
  }
}
