import SceneModel
import SceneWire

/// The one thing said to a client that is turned away before it has said anything.
enum Dismissal {
  static func frame(_ error: BrokerError) -> ContiguousArray<UInt8> {
    var writer = FrameWriter()
    writer.error(nil, error)
    return writer.take()
  }
}
