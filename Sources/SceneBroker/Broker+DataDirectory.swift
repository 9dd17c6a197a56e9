package import SceneModel

/// What is to be done with the directory that a session keeps files in.
package enum DataDirectoryChange: Equatable, Sendable {
  /// It is to be there; answered by `dataDirectoryMade`.
  case make(SessionIdentifier)
  /// The session is gone: so is this, once everything up to the record is on the disk.
  case remove(SessionIdentifier, after: UInt64)
}

/// What came of a directory that was wanted.
package enum DataDirectoryOutcome: Equatable, Sendable {
  case path(String)
  /// Why there is none, for people.
  case refused(ErrorReason, String)
}

/// A session has a directory of its own, for what is too large for an activity: it is there from when
/// it is first asked for until the session is discarded, whatever becomes of its scenes.
extension Broker {
  mutating func askForDataDirectory(_ message: DataDirectory, _ asker: Asker) {
    do throws(BrokerError) {
      _ = try sessionToChange(message.session, asker)
      awaitingDirectory[message.session, default: []].append(asker)
      effects.dataDirectories.append(.make(message.session))
    } catch {
      refuse(asker, error)
    }
  }

  /// Everybody who waits is answered by the first; the others find nobody.
  mutating func take(_ outcome: DataDirectoryOutcome, for session: SessionIdentifier) {
    for asker in awaitingDirectory.removeValue(forKey: session) ?? [] {
      switch outcome {
      case .path(let path):
        reply(asker, .dataDirectory(DataDirectory.Reply(path: path)), about: session)
      case .refused(let reason, let problem): refuse(asker, BrokerError(reason, problem))
      }
    }
  }
}
