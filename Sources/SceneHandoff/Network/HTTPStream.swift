import ScenePlatform

/// One connection to a member of etcd.
final class HTTPStream {
  private let socket: FileDescriptor
  private let child: ChildProcess?
  private var decoder: HTTPDecoder
  private var output: ContiguousArray<UInt8> = []
  private let buffer = InputBuffer()

  /// Connects to a member. Throws after `nanoseconds`.
  init(
    to address: EngineAddress, streams: Bool, ssh: [String], within nanoseconds: Int64
  ) throws(SystemError) {
    var child: ChildProcess?
    socket = try address.connect(within: nanoseconds, ssh: ssh, child: &child)
    self.child = child
    decoder = HTTPDecoder(streams: streams)
  }

  deinit {
    guard let child else { return }
    try? child.send(.terminate)
    _ = try? child.reap()
  }

  var number: Int32 { socket.number }

  var interest: PollInterest { PollInterest(readable: true, writable: !output.isEmpty) }

  func send(_ bytes: ContiguousArray<UInt8>) throws(EngineError) {
    output += bytes
    try flush()
  }

  func flush() throws(EngineError) {
    while !output.isEmpty {
      switch output.withUnsafeBytes({ socket.send($0, waits: false) }) {
      case .bytes(let count): output.removeFirst(count)
      case .wouldBlock: return
      case .failed(let code): throw .unavailable("the connection to etcd failed: \(code)")
      }
    }
  }

  /// The next event; nil until more bytes arrive.
  func next() throws(EngineError) -> HTTPDecoder.Event? {
    while true {
      if let event = try decoder.next() { return event }
      switch socket.receive(into: buffer.bytes, waits: false) {
      case .bytes(let count): decoder.add(buffer.bytes[..<count])
      case .wouldBlock: return nil
      case .end:
        throw .unavailable(
          decoder.isBetweenReplies
            ? "etcd has closed the connection" : "the connection to etcd ended within a reply")
      case .failed(let code): throw .unavailable("the connection to etcd failed: \(code)")
      }
    }
  }
}
