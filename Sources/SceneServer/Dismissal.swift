import SceneModel
import SceneWire

/// The last thing said to a client that is left without having done wrong: one that is turned away
/// before it has said anything, or all of them when the broker cannot go on.
enum Dismissal {
  static func frame(_ error: BrokerError) -> ContiguousArray<UInt8> {
    var writer = FrameWriter()
    writer.error(nil, error)
    return writer.take()
  }
}
