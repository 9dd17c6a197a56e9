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
  mutating func askForDataDirectory(_ message: DataDirectory, _ requester: Requester) {
    do throws(BrokerError) {
      _ = try sessionToChange(message.session, requester)
      completions.wait(for: .dataDirectory(message.session), requester)
      effects.dataDirectories.append(.make(message.session))
    } catch {
      refuse(requester, error)
    }
  }

  /// The first answer of the event loop is for all waiters. Later answers find none.
  mutating func take(_ outcome: DataDirectoryOutcome, for session: SessionIdentifier) {
    for requester in completions.complete(.dataDirectory(session)) {
      switch outcome {
      case .path(let path):
        reply(requester, .dataDirectory(DataDirectory.Reply(path: path)), about: session)
      case .refused(let reason, let problem): refuse(requester, BrokerError(reason, problem))
      }
    }
  }
}
