package import SceneModel
package import ScenePlatform
package import SceneWire

/// Receives the direction and the content of each frame.
package typealias FrameObserver =
  @Sendable (FrameDirection, ContiguousArray<UInt8>) -> Void

/// The name of a client, and its way to the broker.
package struct ClientSettings: Sendable {
  package var name: String
  /// `.scene` or `.applicationDelegate`.
  package var kind = ClientKind.scene
  package var version = productVersion
  /// The delegate classes of this client; `*` for any.
  package var hosts: [String]
  /// Whether the client waits for a broker that does not run at the start.
  package var waitsForBroker = false
  /// The required application of the broker; nil if the path of the socket implies it.
  package var application: String?
  /// Returns the launch token for the broker that started this process. Called once, at the start
  /// of the client.
  package var launch: @Sendable () -> String? = { nil }
  package var seed: UInt64
  /// Receives each frame, for `SCENE_DEBUG`.
  package var onFrame: FrameObserver?
  /// Receives what no method throws.
  package var log: @Sendable (SceneLogRecord) -> Void
  /// Makes a connection.
  package var open: @Sendable () throws(SystemError) -> FileDescriptor

  package init(
    name: String, hosts: [String], seed: UInt64 = .random(in: 0 ... .max),
    open: @escaping @Sendable () throws(SystemError) -> FileDescriptor
  ) {
    self.name = name
    self.hosts = hosts
    self.seed = seed
    self.open = open
    log = SceneLogRecord.standardError(of: name)
  }
}
