import CommandLine
import JSON
import SceneControl
import SceneModel

/// A name given as `--configuration` that is none: the first of the role stands for it, which is
/// hardly what was meant.
extension Errand {
  /// Says so of a session that was made.
  func warnOfMissingConfiguration(of session: SessionIdentifier) {
    guard let wanted = invocation.value("configuration"),
      let summary = (try? find([session.description]))?.first?.details.summary,
      summary.configuration != wanted, let complaint = complaintAboutConfiguration()
    else { return }
    let made = "\(summary.label) uses \(PlainText.word(summary.configuration))"
    console.complain("scenectl: \(made): \(complaint)")
  }

  /// Says so of a session that could not be made.
  func noticingMissingConfiguration(
    _ body: () throws(ProgramError) -> RawJSON
  ) throws(ProgramError) -> RawJSON {
    do throws(ProgramError) {
      return try body()
    } catch {
      var failure = error
      if error.reply != nil, let complaint = complaintAboutConfiguration() {
        failure.message = "\(complaint)\n\(failure.message)"
      }
      throw failure
    }
  }

  /// Nil where the manifest has it; for another role than is wanted, the broker says that itself.
  private func complaintAboutConfiguration() -> String? {
    guard let wanted = invocation.value("configuration"), let names = try? configurations(),
      !names.contains(wanted)
    else { return nil }
    return "the manifest has no configuration \(PlainText.word(wanted)); use one of "
      + names.map(PlainText.word).joined(separator: ", ")
  }

  /// The names of all that the manifest has now.
  private func configurations() throws(ProgramError) -> [String] {
    let reply = try ask { broker throws(ControlError) in
      try broker.request(ApplicationManifest(), until: patience())
    }
    let document = JSONDocument()
    guard (try? document.read(reply.manifest.json.bytes.span)) != nil,
      let roles = document.root["configurations"]
    else { return [] }
    return roles.members.flatMap { role in role.value.elements.compactMap { $0["name"]?.string } }
  }
}
