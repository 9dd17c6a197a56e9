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
  /// The reason of the last disconnect, while there is no scene.
  public let disconnectReason: Scene.DisconnectReason?
  /// The number of saved activities.
  public let generation: Int
  /// The process that has the scene.
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
