import SceneJSON
import SceneModel
import ScenePlatform
import SceneTransport
import SceneWire

/// The frames that the load generator sends, one file for each kind of client.
enum FrameFiles {
  /// The generator replaces this counter in each frame, because the broker does not save an
  /// unchanged activity again.
  static let counter = "0000000000"
  private static let requestByteCount = 200

  /// Makes sessions and writes the files. Returns the lengths of the reply and the requests.
  static func make(
    in directory: String, socket: String, sessionCount: Int, activityByteCount: Int
  ) throws -> KeyValuePairs<String, Int> {
    var client = try BlockingClient(socket)
    let hello = Initialize(client: ClientName(name: "bench", version: "1"), as: .control)
    _ = try client.ask(hello)
    var sessions: [SessionIdentifier] = []
    for _ in 0..<sessionCount { sessions.append(try client.ask(SceneConnect(new: true)).session) }
    // The frames expect sessions without a holder.
    for session in sessions { _ = try client.ask(SceneDisconnect(session: session)) }
    try write(sessions.map(show), to: directory + "/show")
    try write(sessions.map { try save($0, activityByteCount) }, to: directory + "/save")
    try write([frame(hello)], to: directory + "/hello")
    try write([frame(Ping())], to: directory + "/ping")
    try write([frame(hello), frame(Ping())], to: directory + "/hello-ping")
    try write([frame(hello), frame(observe)], to: directory + "/observe")
    try write([frame(event())], to: directory + "/post")
    let scene = Initialize(client: ClientName(name: "bench", version: "1"), as: .scene)
    try write([frame(scene), frame(SceneConnect(new: true))], to: directory + "/scene")
    try write([frame(scene), frame(SceneConnect(name: "limit"))], to: directory + "/client")
    _ = try client.ask(SessionShow(session: sessions[0]))
    let replyByteCount = client.lastReplyByteCount
    _ = try client.ask(observe)
    let delivery = try client.byteCountOfDelivery(of: try event())
    return [
      "sessions": sessionCount, "request": try show(sessions[0]).count, "reply": replyByteCount,
      "save": try save(sessions[0], activityByteCount).count, "delivery": delivery,
    ]
  }

  private static let topic = "bench"
  static let observe = EventObserve(topic: topic)

  /// An event whose post has 200 bytes.
  static func event() throws -> EventPost {
    func event(padding: Int) -> EventPost {
      let text = #"{"text":"\#(String(repeating: "x", count: padding))"}"#
      let payload = RawJSON(unchecked: ContiguousArray(text.utf8))
      return EventPost(topic: topic, kind: "note", payload: OpaqueObject(unchecked: payload))
    }
    let bare = try frame(event(padding: 0)).count
    return event(padding: max(0, requestByteCount + FrameDecoder.headerLength - bare))
  }

  private static func write(_ frames: [ContiguousArray<UInt8>], to path: String) throws {
    try File.write(frames.joined(), to: path)
  }

  static func frame(_ message: some RequestMessage) throws -> ContiguousArray<UInt8> {
    var writer = FrameWriter()
    try writer.request(.number(1), message)
    return writer.take()
  }

  /// A request for one session, padded by an unknown member.
  static func show(_ session: SessionIdentifier) throws -> ContiguousArray<UInt8> {
    func frame(padding: Int) throws -> ContiguousArray<UInt8> {
      var writer = FrameWriter()
      try writer.request(.number(1), method: SessionShow.method.description) { writer in
        writer.beginObject()
        writer.name("session")
        session.write(to: &writer)
        writer.name("note")
        writer.string(String(repeating: "x", count: padding))
        writer.endObject()
      }
      return writer.take()
    }
    let bare = try frame(padding: 0).count
    return try frame(padding: max(0, requestByteCount + FrameDecoder.headerLength - bare))
  }

  static func save(
    _ session: SessionIdentifier, _ activityByteCount: Int = 1024
  ) throws -> ContiguousArray<UInt8> {
    try frame(SaveActivity(session: session, activity: activity(activityByteCount)))
  }

  /// An activity of this length.
  static func activity(_ byteCount: Int = 1024) -> Activity {
    func text(padding: Int) -> String {
      #"{"activityType":"com.example.bench","userInfo":{"counter":"\#(counter)","text":""#
        + String(repeating: "x", count: padding) + #""}}"#
    }
    let padding = byteCount - text(padding: 0).utf8.count
    return Activity(unchecked: RawJSON(unchecked: ContiguousArray(text(padding: padding).utf8)))
  }
}

/// A client that waits for each reply.
private struct BlockingClient {
  private let socket: FrameSocket
  private var lastIdentifier: Int64 = 0
  private(set) var lastReplyByteCount = 0

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  init(_ socket: String) throws(SystemError) {
    self.socket = FrameSocket(try UnixSocket.connect(to: socket))
  }

  mutating func ask<Message: RequestMessage>(_ message: Message) throws -> Message.Reply {
    let request = try send(message)
    let document = JSONDocument()
    while true {
      let frame = try nextFrame()
      switch try Envelope(frame.span, into: document) {
      case .result(request, let result):
        lastReplyByteCount = frame.count
        return try Message.Reply(reading: result)
      case .request, .result: continue
      case .failure(_, let error):
        throw Failure(description: error["message"]?.string ?? "an error without a message")
      }
    }
  }

  /// Posts an event of an observed topic. Returns the length of its delivery.
  mutating func byteCountOfDelivery(of event: EventPost) throws -> Int {
    _ = try send(event)
    let document = JSONDocument()
    while true {
      let frame = try nextFrame()
      if case .request = try Envelope(frame.span, into: document) { return frame.count }
    }
  }

  private mutating func send(_ message: some RequestMessage) throws -> RequestIdentifier {
    lastIdentifier += 1
    let identifier = RequestIdentifier.number(lastIdentifier)
    try socket.write { (writer) throws(FrameError) in try writer.request(identifier, message) }
    _ = try socket.flush(until: nil)
    return identifier
  }

  private func nextFrame() throws -> ContiguousArray<UInt8> {
    while true {
      if let frame = try socket.nextFrame() { return frame }
      _ = try socket.waitReadable()
      switch socket.receive() {
      case .bytes, .wouldBlock: continue
      case .end, .failed: throw Failure(description: "the broker closed the connection")
      }
    }
  }
}
