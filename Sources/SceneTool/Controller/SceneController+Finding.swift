import SceneClient
import SceneCommandLine
import SceneModel
import ScenePlatform

/// Finds the session of the command line.
extension SceneController {
  /// Connects to the session that the broker resolves the word to.
  func connect(_ message: SceneConnect, toSessionCalled word: String) {
    resolve(word) { [self] session in
      var message = message
      message.session = session.session
      noteReplaced(session.program)
      connect(message)
    }
  }

  /// Connects, and first asks for the command that the command of this process replaces.
  func connectReplacing(_ message: SceneConnect) {
    guard message.name != nil || message.session != nil, message.program != nil,
      StandardStream.error.isTerminal
    else { return connect(message) }
    let show =
      message.name.map { SessionShow(name: $0) } ?? message.session.map { SessionShow(session: $0) }
    guard let show else { return connect(message) }
    client?.request(show) { [self] result in
      if case .success(let details) = result { noteReplaced(details.summary.program) }
      connect(message)
    }
  }

  /// Posts `.found` with the session of a name or a word, before the scene connects.
  func find(_ session: WindowSession) {
    switch session {
    case .word(let word): resolve(word) { [self] in post(.found($0)) }
    case .name(let name):
      client?.request(SessionShow(name: name)) { [self] result in
        switch result {
        case .success(let details): post(.found(details.summary))
        case .failure(let error) where error.code == .sessionNotFound: post(.found(nil))
        case .failure(let error): refuseUnlessOver(error)
        }
      }
    }
  }

  private func resolve(_ word: String, _ body: @escaping @Sendable (SessionSummary) -> Void) {
    client?.request(SessionResolve(word: word)) { [self] result in
      switch result {
      case .success(let reply):
        if let session = reply.details?.summary {
          body(session)
        } else {
          refuseAmbiguous(word, reply)
        }
      case .failure(let error) where error.code == .sessionNotFound:
        Task { [self] in
          do throws(SceneError) {
            refuseUnknown(word, among: try await client?.summaries() ?? [])
          } catch {
            refuseUnlessOver(error)
          }
        }
      case .failure(let error): refuseUnlessOver(error)
      }
    }
  }

  private func refuseUnknown(_ word: String, among sessions: [SessionSummary]) {
    let name = nearest(to: word, among: sessions.compactMap(\.name))
    let suggestion = name.map { "; did you mean \(PlainText.word($0))?" } ?? ""
    refuseUnlessOver(
      SceneError(.sessionNotFound, "no session is called \(PlainText.word(word))\(suggestion)"))
  }

  private func refuseAmbiguous(_ word: String, _ reply: SessionResolve.Reply) {
    let list = reply.matches.prefix(5).map(\.description).joined(separator: ", ")
    refuseUnlessOver(
      SceneError(
        .invalidParams,
        "ambiguous session prefix \"\(word)\" (\(reply.count) matches); use more characters: "
          + list))
  }
}
