public import SceneClient
import SceneControl
import SceneModel
import SceneScript

/// The state of a session at one moment.
public struct TestSession: Sendable {
  /// The stored session.
  public let session: SceneSession
  /// The state of the scene; unattached without a scene.
  public let activationState: Scene.ActivationState
  /// The reason of the last disconnect, while there is no scene; otherwise nil.
  public let disconnectReason: Scene.DisconnectReason?
  /// The number of activities saved for the session.
  public let generation: Int
  /// The identifier of the process that has the scene; nil without a scene.
  public let pid: Int32?

  init(_ found: FoundSession) {
    let summary = found.details.summary
    session = SceneSession(
      found.details.sceneSession, withheld: found.details.summary.withheld)
    activationState = Scene.ActivationState(summary.state)
    disconnectReason = summary.disconnect.map {
      Scene.DisconnectReason(rawValue: $0.reason.rawValue)
    }
    generation = Int(summary.generation)
    pid = summary.client.flatMap { Int32(exactly: $0.pid) }
  }
}
