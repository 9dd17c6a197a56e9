package import SceneJSON

/// The result of a request.
///
/// A reply moves several times before it is written. Large ones are indirect, so a move copies one
/// reference and not all strings.
package enum BrokerReply: Equatable, Sendable {
  case empty
  indirect case initialized(Initialize.Reply)
  indirect case connected(SceneConnect.Reply)
  case moved(SceneTransition.Reply)
  case saved(SaveActivity.Reply)
  indirect case listed(SessionList.Reply)
  case shown(SessionDetails)
  indirect case resolved(SessionResolve.Reply)
  indirect case history(SessionHistory.Reply)
  case dataDirectory(DataDirectory.Reply)
  case activated(RequestActivation.Reply)
  indirect case routed(ApplicationRoute.Reply)
  indirect case status(ApplicationStatus.Reply)
  case refreshed(RequestRefresh.Reply)
  case reclaimed(Reclaim.Reply)
  case posted(EventPost.Reply)
  case observed(EventObserve.Reply)
  indirect case topics(TopicList.Reply)
  case described(OpaqueObject)
  case asserted(BeginAssertion.Reply)
  indirect case manifest(ApplicationManifest.Reply)

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .empty: Empty().write(to: &writer)
    case .initialized(let reply): reply.write(to: &writer)
    case .connected(let reply): reply.write(to: &writer)
    case .moved(let reply): reply.write(to: &writer)
    case .saved(let reply): reply.write(to: &writer)
    case .listed(let reply): reply.write(to: &writer)
    case .shown(let reply): reply.write(to: &writer)
    case .resolved(let reply): reply.write(to: &writer)
    case .history(let reply): reply.write(to: &writer)
    case .dataDirectory(let reply): reply.write(to: &writer)
    case .activated(let reply): reply.write(to: &writer)
    case .routed(let reply): reply.write(to: &writer)
    case .status(let reply): reply.write(to: &writer)
    case .refreshed(let reply): reply.write(to: &writer)
    case .reclaimed(let reply): reply.write(to: &writer)
    case .posted(let reply): reply.write(to: &writer)
    case .observed(let reply): reply.write(to: &writer)
    case .topics(let reply): reply.write(to: &writer)
    case .described(let reply): reply.write(to: &writer)
    case .asserted(let reply): reply.write(to: &writer)
    case .manifest(let reply): reply.write(to: &writer)
    }
  }
}
