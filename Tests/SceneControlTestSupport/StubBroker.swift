package import SceneControl
import SceneJSON
package import SceneModel
import ScenePlatform
import SceneWire

/// The other end of a connection: it has said everything it will say before it is asked.
///
/// A client numbers its requests from 1, after `initialize` as 0, so the answers can be written
/// beforehand.
package final class StubBroker {
  private let socket: FileDescriptor
  private var client: FileDescriptor?

  /// Writes each of these texts as a frame.
  package init(_ script: [String], ending: Bool = false) throws {
    var pair = try UnixSocket.pair()
    client = pair.takeFirst()
    socket = pair.takeSecond()
    for text in script { try send(text) }
    if ending { try socket.endSending() }
  }

  private func send(_ text: String) throws {
    let content = ContiguousArray(text.utf8)
    let length = UInt32(content.count).bigEndian
    var frame = withUnsafeBytes(of: length) { ContiguousArray($0) }
    frame += content
    try socket.write(frame.span.bytes)
  }

  /// The client's end, to be taken once.
  package func connect(
    as client: ClientName = ClientName(name: "test", version: "1")
  ) throws(ControlError) -> ControlConnection {
    guard let end = self.client.take() else { throw .timedOut }
    return ControlConnection(end, as: client)
  }

  /// What the client has said so far, in as many pieces as it was read in.
  package func writes() throws -> [[String]] {
    try socket.setNonblocking()
    var decoder = FrameDecoder(limit: 1 << 20)
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: 1 << 20)
    var writes: [[String]] = []
    while case .bytes(let count) = buffer.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
      var texts: [String] = []
      let span = buffer.span
      try decoder.decode(span.extracting(..<count)) { content in
        texts.append(content.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
        return true
      }
      writes.append(texts)
    }
    return writes
  }

  /// The requests the client has made, `initialize` left out: each as `method params`.
  package func requests() throws -> [String] {
    try writes().joined().dropFirst().map { text in
      let document = JSONDocument()
      try document.read(text.utf8)
      let root = document.root
      return "\(root["method"]?.string ?? "reply") \(root["params"]?.raw.description ?? "")"
    }
  }
}

// MARK: - What a broker says

package let greeting = result(
  0,
  """
  {"protocol":1,"broker":{"name":"scened","version":"1","instance":"8c","pid":4242},\
  "application":{"name":"default","phase":"background","classic":false},\
  "limits":{"frameBytes":1048576,"activityBytes":262144}}
  """)

package func result(_ number: Int, _ json: String = "{}") -> String {
  #"{"jsonrpc":"2.0","id":\#(number),"result":\#(json)}"#
}

package func refusal(
  _ number: Int, _ reason: ErrorReason, retry: Retry? = nil, session: SessionIdentifier? = nil
) -> String {
  var writer = JSONWriter()
  BrokerError(reason, "no: \(reason.name)", retry: retry, session: session).write(to: &writer)
  return #"{"jsonrpc":"2.0","id":\#(number),"error":\#(RawJSON(unchecked: writer.bytes))}"#
}

package func notification(_ method: String, _ params: String) -> String {
  #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#
}

/// An identifier that ends in these digits.
package func identifier(_ number: Int) -> SessionIdentifier {
  SessionIdentifier(high: 0xAAAA_BBBB_0000_0000 + UInt64(number), low: 1)
}

/// The summary of a session, as a list has it.
package func summary(
  _ number: Int, name: String? = nil, state: ActivationState = .unattached, pid: Int64? = nil,
  title: String? = nil
) -> SessionSummary {
  var summary = SessionSummary()
  summary.session = identifier(number)
  summary.name = name
  summary.title = title
  summary.state = state
  summary.target = state
  summary.client = pid.map { ClientReference(name: "scene", pid: $0) }
  return summary
}

/// What `session/show` answers about it.
package func details(_ summary: SessionSummary, activity: String? = nil) -> String {
  var details = SessionDetails()
  details.sceneSession.persistentIdentifier = summary.session
  details.sceneSession.name = summary.name
  details.sceneSession.stateRestorationActivity = activity.map {
    Activity(unchecked: RawJSON(unchecked: ContiguousArray($0.utf8)))
  }
  details.summary = summary
  return text(of: details)
}

/// The reply to `session/resolve` with these details, and perhaps another session.
package func resolved(_ details: String, beside other: Int? = nil) -> String {
  let matches = other.map { #","matches":["\#(identifier($0))"],"count":1"# } ?? ""
  return #"{"details":\#(details)\#(matches)}"#
}

package func text(of value: some JSONCodable) -> String {
  var writer = JSONWriter()
  value.write(to: &writer)
  return RawJSON(unchecked: writer.bytes).description
}
