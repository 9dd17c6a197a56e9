import SceneModel
import ScenePlatform

/// A connection of the client, and the matching connection to the broker.
final class ProxiedConnection: Sendable {
  let number: Int
  let client: SharedDescriptor
  let broker: SharedDescriptor
  /// Held while a frame is sent to the client, so that two threads never mix their frames.
  let sendLock = ConditionMutex(())

  init(_ number: Int, client: SharedDescriptor, broker: SharedDescriptor) {
    self.number = number
    self.client = client
    self.broker = broker
  }
}

/// One of the two sockets. One thread receives, and any thread can send.
extension SharedDescriptor {
  /// Waits for more bytes; false at the end of the connection.
  private func receive(into splitter: inout FrameSplitter) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { room in
      while true {
        switch descriptor.receive(into: room) {
        case .bytes(let count):
          splitter.add(room[..<count])
          return true
        case .wouldBlock:
          guard (try? descriptor.waitReadable()) == true else { return false }
        case .end, .failed:
          return false
        }
      }
    }
  }

  /// Handles each frame and its content until the end. Returns why the rest is not a frame; nil
  /// without a rest.
  func forEachFrame(
    limit: Int = Limits().frameBytes,
    _ body: (_ frame: ContiguousArray<UInt8>, _ content: ContiguousArray<UInt8>) -> Void
  ) -> String? {
    var splitter = FrameSplitter(limit: limit)
    while receive(into: &splitter) {
      var part = splitter.next()
      while case .frame(let frame) = part {
        body(frame, FrameSplitter.content(of: frame))
        part = splitter.next()
      }
      if case .bad(let problem) = part { return problem }
    }
    return splitter.rest.isEmpty ? nil : "an incomplete frame"
  }

  /// Sends all bytes, or stops at the first error.
  func send(_ bytes: ContiguousArray<UInt8>) {
    bytes.withUnsafeBytes { whole in
      var sent = 0
      while sent < whole.count {
        switch descriptor.send(UnsafeRawBufferPointer(rebasing: whole[sent...])) {
        case .bytes(let count): sent += count
        case .wouldBlock: guard (try? descriptor.waitWritable()) == true else { return }
        case .failed: return
        }
      }
    }
  }

  /// Waits until the peer has read all bytes, but at most one second.
  func awaitRead() {
    let replyTimeout = SystemClock.monotonic() + 1_000_000_000
    let pause = ConditionMutex(())
    while let count = descriptor.unreadByPeer, count > 0, SystemClock.monotonic() < replyTimeout {
      _ = pause.wait(until: SystemClock.monotonic() + 200_000) { _ -> Void? in nil }
    }
  }

  func endSending() { try? descriptor.endSending() }
}
