package import JSON

/// What answers a request that was granted.
///
/// Replies are handed on a few times before they are written; the large ones are kept elsewhere, so
/// that one reference is handed on rather than all their strings.
package enum BrokerReply: Equatable, Sendable {
  case empty
  indirect case initialized(Initialize.Reply)
  indirect case connected(SceneConnect.Reply)
  case moved(SceneTransition.Reply)
  case saved(SaveActivity.Reply)
  indirect case listed(SessionList.Reply)
  indirect case shown(SessionDetails)
  indirect case history(SessionHistory.Reply)
  case activated(RequestActivation.Reply)
  indirect case status(ApplicationStatus.Reply)
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
