import SceneModel
import SceneWire

/// The last frame to a client that violated no rule. The server rejects a client with it, or tells
/// all clients that the broker cannot continue.
enum ShutdownFrame {
  static func frame(_ error: BrokerError) -> ContiguousArray<UInt8> {
    var writer = FrameWriter()
    writer.error(nil, error)
    return writer.take()
  }
}
