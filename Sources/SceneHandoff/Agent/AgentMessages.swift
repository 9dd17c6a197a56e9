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

package enum AgentEvent: Equatable, Sendable {
  // The engine
  /// The other side is etcd, and its database has this size in bytes.
  case opened(databaseSize: Int64)
  case closed(EngineError)
  case engineReply(UInt64, EngineReply)
  case changed([EngineChange])
  // The broker
  case brokerOpened([SessionContent])
  case brokerClosed
  case brokerReply(UInt64, HostReply)
  /// The session has changed or is discarded. An older reply can follow.
  case sessionChanged(SessionIdentifier)
  // People
  case command(HandoffQuestion)
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
  case answer(HandoffReply)
  case log(String)
  /// Ends the agent with status 1.
  case end(String)
}
