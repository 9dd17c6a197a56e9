import CommandLine
import SceneClient
import SceneModel

/// Resolves a name or a prefix to a session.
extension SceneController {
  /// Connects to the session with this name, else to the one with this identifier prefix.
  func connect(_ message: SceneConnect, toSessionCalled word: String) {
    client?.request(.show(SessionShow(name: word))) { [self] result in
      switch result {
      case .success(.shown(let details)): connect(message, to: details.summary.session)
      case .success: break
      case .failure(let error) where error.code == .sessionNotFound:
        search(SessionList(), among: []) { [self] sessions in
          choose(word, among: sessions, for: message)
        }
      case .failure(let error): refuseUnlessOver(error)
      }
    }
  }

  private func connect(_ message: SceneConnect, to session: SessionIdentifier) {
    var message = message
    message.session = session
    connect(message)
  }

  /// Reads the list page by page.
  private func search(
    _ page: SessionList, among earlier: [SessionSummary],
    _ body: @escaping @Sendable ([SessionSummary]) -> Void
  ) {
    client?.request(.list(page)) { [self] result in
      switch result {
      case .success(.listed(let reply)):
        let sessions = earlier + reply.sessions
        guard let next = reply.next, next > page.after ?? .none else { return body(sessions) }
        var page = page
        page.after = next
        search(page, among: sessions, body)
      case .success: break
      case .failure(let error): refuseUnlessOver(error)
      }
    }
  }

  private func choose(_ word: String, among sessions: [SessionSummary], for message: SceneConnect) {
    let prefix = IdentifierPrefix(word)
    let matching = sessions.map(\.session).filter { prefix?.matches($0) == true }
    switch matching.count {
    case 1: connect(message, to: matching[0])
    case 0:
      let name = nearest(to: word, among: sessions.compactMap(\.name))
      let suggestion = name.map { "; did you mean \(PlainText.word($0))?" } ?? ""
      refuseUnlessOver(
        SceneError(.sessionNotFound, "no session is called \(PlainText.word(word))\(suggestion)"))
    default:
      let list = matching.prefix(5).map(\.description).joined(separator: ", ")
      refuseUnlessOver(
        SceneError(
          .invalidParams,
          "ambiguous session prefix \"\(word)\" (\(matching.count) matches); use more characters: "
            + list))
    }
  }
}
