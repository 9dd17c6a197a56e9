package import SceneModel
import ScenePlatform
import SceneTransport
import SceneWire

/// For tests: a request that is cut off.
extension ControlConnection {
  /// Sends the first half of a request and ends the output. Returns when the broker has closed the
  /// connection.
  package func breakOff(
    in message: some RequestMessage, until deadline: Int64? = nil
  ) throws(ControlError) {
    try flush(until: deadline)
    post(message)
    let frame = buffered.removeLast().frame
    socket.write(bytes: frame[..<(frame.count / 2)])
    try flushSocket(until: deadline)
    try system(socket.endSending())
    guard try waitForEnd(until: deadline) else { throw .timedOut }
  }
}
