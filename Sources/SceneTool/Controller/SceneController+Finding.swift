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
      noteReplaced(session)
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
      if case .success(let details) = result { noteReplaced(details.summary) }
      connect(message)
    }
  }

  /// Connects to a session that no client holds and whose command has the same program and
  /// directory: the most recently used one with the same arguments, else the most recently used
  /// one. A window that was open is only for the same arguments, because it opens again. Without
  /// such a session, makes one that is named after the program and the directory. If another
  /// client is faster, chooses again without the `refused` sessions and names.
  func connect(
    _ plain: SceneConnect, toSessionOf program: SessionProgram, without refused: Set<String> = []
  ) {
    Task { [self] in
      do throws(SceneError) {
        let sessions = try await client?.summaries() ?? []
        let free = sessions.filter {
          $0.state == .unattached && $0.away == nil && $0.runs(program, for: plain)
            && !refused.contains("\($0.session)")
        }
        .sorted { $0.lastUsed < $1.lastUsed }
        let same = free.last { $0.program?.arguments == program.arguments }
        let found = same ?? free.last { !$0.wasOpen }
        var message = plain
        let names = refused.union(sessions.compactMap(\.name))
        if let found {
          message.session = found.session
          noteReplaced(found)
        } else if let name = program.sessionName(besides: names) {
          message.name = name
        } else {
          message.new = true
        }
        let word = message.session.map { "\($0)" } ?? message.name
        connect(message) { [self] error in
          switch error.code {
          case .multipleScenesNotSupported: connect(plain)
          case .sessionInUse:
            guard let word else { return false }
            connect(plain, toSessionOf: program, without: refused.union([word]))
          default: return false
          }
          return true
        }
      } catch {
        refuseUnlessOver(error)
      }
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

extension SessionSummary {
  /// Whether the stored command has the program and the directory of another one. A role and a
  /// configuration of the request must be those of the session.
  fileprivate func runs(_ other: SessionProgram, for request: SceneConnect) -> Bool {
    guard let program, request.role ?? role == role,
      request.configuration ?? configuration == configuration
    else { return false }
    return program.name == other.name && program.directory == other.directory
  }
}

extension SessionProgram {
  /// The name of the program without its directory.
  fileprivate var name: String? { arguments.first.map(Directory.lastPart) }

  /// The name of a new session, such as `vim website` or `vim website 2`; nil if it would be hard
  /// to type.
  fileprivate func sessionName(besides taken: Set<String>) -> String? {
    let place = directory == "/" ? nil : Directory.lastPart(of: directory)
    let text = [name, place].compactMap(\.self).joined(separator: " ")
    guard PlainText.escaped(text) == text, text.utf8.count <= Self.longestName else { return nil }
    return ([text] + (2...99).map { "\(text) \($0)" }).first { !taken.contains($0) }
  }

  /// In bytes.
  private static let longestName = 100
}
