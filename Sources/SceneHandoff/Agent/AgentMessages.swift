package import SceneModel

/// A request to the broker of this host. Some of them are several messages.
package enum HostRequest: Equatable, Sendable {
  case show(SessionIdentifier, withFiles: Bool)
  /// Ends the scene, releases the session, and repeats both if a client connects in between. The
  /// reply has the data directory.
  case release(SessionIdentifier, fence: Int64, to: String)
  /// Notes that the content of a released session has arrived.
  case confirm(SessionIdentifier, fence: Int64, to: String)
  case adopt(
    SessionIdentifier, StoredContent, files: DirectoryContent?, fence: Int64, from: String)
  /// Saves each content's activity.
  case save(SessionIdentifier, [StoredContent])
  case discard(SessionIdentifier)
}

package enum HostReply: Equatable, Sendable {
  /// Nil if the session does not exist.
  case session(SessionContent?)
  case refused(String)
}

/// A request of a person.
package enum HandoffCommand: Equatable, Sendable {
  case list
  /// `seen` is the fence that the person saw.
  case take(SessionIdentifier, seen: Int64?, forced: Bool)
  /// Makes a new session from the content; the owner stays.
  case copy(SessionIdentifier)
  case keep(SessionIdentifier, host: String)
}

package enum HandoffAnswer: Equatable, Sendable {
  case status(HandoffStatus)
  case done
  case copied(SessionIdentifier)
  case refused(String)
}

package enum AgentEvent: Equatable, Sendable {
  // The engine
  case opened(databaseSize: Int64)
  case closed(EngineError)
  case engineReply(UInt64, EngineReply)
  case changed(EngineChanges)
  // The broker
  case brokerOpened([SessionContent])
  case brokerClosed
  case brokerReply(UInt64, HostReply)
  case sessionChanged(SessionIdentifier)
  case sessionDiscarded(SessionIdentifier)
  // People
  case command(UInt64, HandoffCommand)
  /// A deadline may have passed.
  case time
}

package enum AgentAction: Equatable, Sendable {
  /// Opens a link to the next member of the engine.
  case open
  case close
  case engine(UInt64, EngineRequest)
  case broker(UInt64, HostRequest)
  /// Writes the state file before the next action.
  case store(AgentState)
  case answer(UInt64, HandoffAnswer)
  case log(String)
  /// Ends the agent with status 1.
  case end(String)
}
