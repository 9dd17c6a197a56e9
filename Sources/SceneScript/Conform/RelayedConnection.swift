import ScenePlatform

/// A client's connection, and the one to the broker that goes with it.
final class RelayedConnection: Sendable {
  let number: Int
  let client: End
  let broker: End
  /// Whoever says something to the client has it for as long as that takes.
  let turn = Monitor(())

  init(_ number: Int, client: End, broker: End) {
    self.number = number
    self.client = client
    self.broker = broker
  }

  /// One of its two sockets; one thread receives, any may send.
  final class End: Sendable {
    private let socket: FileDescriptor

    init(_ socket: consuming FileDescriptor) { self.socket = socket }

    /// Waits for more; false when nothing more can come.
    func receive(into cutter: inout FrameCutter) -> Bool {
      withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { room in
        while true {
          switch socket.receive(into: room) {
          case .bytes(let count):
            cutter.add(room[..<count])
            return true
          case .wouldBlock:
            guard (try? socket.waitReadable()) == true else { return false }
          case .end, .failed:
            return false
          }
        }
      }
    }

    /// Sends all of it, unless nobody is there any more.
    func send(_ bytes: ContiguousArray<UInt8>) {
      bytes.withUnsafeBytes { whole in
        var sent = 0
        while sent < whole.count {
          switch socket.send(UnsafeRawBufferPointer(rebasing: whole[sent...])) {
          case .bytes(let count): sent += count
          case .wouldBlock: guard (try? socket.waitWritable()) == true else { return }
          case .failed: return
          }
        }
      }
    }

    /// Returns when all that was sent has been read, or after a second: it may be busy.
    func awaitRead() {
      let patience = SystemClock.monotonic() + 1_000_000_000
      let pause = Monitor(())
      while let count = socket.unreadByPeer, count > 0, SystemClock.monotonic() < patience {
        _ = pause.wait(until: SystemClock.monotonic() + 200_000) { _ -> Void? in nil }
      }
    }

    func endSending() { try? socket.endSending() }
  }
}

/// A socket that listens.
final class Listener: Sendable {
  private let socket: FileDescriptor

  init(_ socket: consuming FileDescriptor) { self.socket = socket }

  /// Waits for the next client; nil when there can be none.
  func next() -> RelayedConnection.End? {
    do throws(SystemError) {
      while true {
        _ = try socket.waitReadable()
        if let client = try UnixSocket.accept(from: socket) {
          return RelayedConnection.End(client)
        }
      }
    } catch {
      return nil
    }
  }
}
