package import JSON

/// What answers a request that was granted.
package enum BrokerReply: Equatable, Sendable {
  case empty
  case initialized(Initialize.Reply)
  case connected(SceneConnect.Reply)
  case moved(SceneTransition.Reply)
  case saved(SaveActivity.Reply)
  case listed(SessionList.Reply)
  case shown(SessionDetails)
  case history(SessionHistory.Reply)
  case activated(RequestActivation.Reply)
  case status(ApplicationStatus.Reply)
  case reclaimed(Reclaim.Reply)
  case described(CarriedObject)

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .empty: Empty().write(to: &writer)
    case .initialized(let reply): reply.write(to: &writer)
    case .connected(let reply): reply.write(to: &writer)
    case .moved(let reply): reply.write(to: &writer)
    case .saved(let reply): reply.write(to: &writer)
    case .listed(let reply): reply.write(to: &writer)
    case .shown(let reply): reply.write(to: &writer)
    case .history(let reply): reply.write(to: &writer)
    case .activated(let reply): reply.write(to: &writer)
    case .status(let reply): reply.write(to: &writer)
    case .reclaimed(let reply): reply.write(to: &writer)
    case .described(let reply): reply.write(to: &writer)
    }
  }
}
