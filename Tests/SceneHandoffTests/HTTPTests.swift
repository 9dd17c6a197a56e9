import SceneHandoff
import ScenePlatform
import Testing

@Suite("The client of HTTP/1.1")
struct HTTPTests {
  private static func events(
    _ text: String, streams: Bool = false, piece: Int = 1
  ) throws(EngineError) -> [String] {
    var decoder = HTTPDecoder(streams: streams)
    var events: [String] = []
    var bytes = ContiguousArray(text.utf8)[...]
    while !bytes.isEmpty {
      decoder.add(bytes.prefix(piece))
      bytes = bytes.dropFirst(piece)
      while let event = try decoder.next() {
        switch event {
        case .reply(let status, let body):
          events.append("\(status) \(String(decoding: body, as: UTF8.self))")
        case .line(let line): events.append("line \(String(decoding: line, as: UTF8.self))")
        case .end: events.append("end")
        }
      }
    }
    return events
  }

  private static let replies =
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    + "HTTP/1.1 404 Not Found\r\ncontent-length:0\r\nX: y\r\n\r\n"
    + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: 1\r\n\r\n"

  @Test("replies on one connection are cut at any byte", arguments: [1, 2, 7, 4096])
  func replies(piece: Int) throws {
    #expect(try Self.events(Self.replies, piece: piece) == ["200 hello", "404 ", "200 abcde"])
  }

  @Test("a stream has lines whose bytes arrive in any chunks", arguments: [1, 3, 4096])
  func stream(piece: Int) throws {
    let text =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\na\n\r\n3\r\nb\nc\r\n2\r\nd\n\r\n0\r\n\r\n"
    #expect(
      try Self.events(text, streams: true, piece: piece) == ["line a", "line b", "line cd", "end"])
    let refused = "HTTP/1.1 503 No\r\nContent-Length: 2\r\n\r\nno"
    #expect(try Self.events(refused, streams: true) == ["503 no"])
  }

  @Test(
    "bytes that are no reply are refused with a reason",
    arguments: [
      ("<html>\r\n", "not HTTP/1.1"), ("HTTP/1.1 abc\r\n\r\n", "not HTTP/1.1"),
      ("HTTP/1.1 200 OK\r\n\r\n", "status 200 has no length"),
      ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "invalid length"),
      ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", "exceeds"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "size of a chunk"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabcd", "end of a chunk"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n", "exceeds"),
      ("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 17 << 10), "exceeds"),
      (String(repeating: "x", count: 17 << 10), "exceeds"),
    ])
  func refused(text: String, reason: String) {
    let error = #expect(throws: EngineError.self) { try Self.events(text) }
    #expect(error?.description.contains(reason) == true, "\(error as Any)")
  }

  @Test("a key or a value that is not base64 is not of etcd")
  func base64() throws {
    let body = #"{"header":{"revision":"1"},"kvs":[{"key":"YQ==","value":"?","mod_revision":"1"}]}"#
    let reply = try EtcdReply(status: 200, body: ContiguousArray(body.utf8))
    #expect(throws: EngineError.notEtcd("the member value is missing or invalid")) {
      try reply.reply(to: .read(prefix: "a"))
    }
  }

  @Test("a large request has the time of a slow connection")
  func sendTime() {
    #expect(EngineLink.sendTime(of: 2 << 20) == 64_000_000_000)
    #expect(EngineLink.sendTime(of: 300) < 10_000_000)
  }

  @Test(
    "an address is HOST:PORT, unix:/PATH or ssh:HOST",
    arguments: [
      ("server:2379", "server:2379", true), ("127.0.0.1:1", "127.0.0.1:1", false),
      ("127.0.0.1.example.com:1", "127.0.0.1.example.com:1", true),
      ("[::1]:2379", "[::1]:2379", false), ("localhost:2379", "localhost:2379", false),
      ("unix:/run/etcd", "unix:/run/etcd", false), ("ssh:me@server", "ssh:me@server:2379", false),
      ("ssh:server:99", "ssh:server:99", false), ("server", nil, false), (":2379", nil, false),
      ("server:0", nil, false), ("server:65536", nil, false), ("::1:5", nil, false),
      ("unix:", nil, false), ("unix:etcd", nil, false),
      ("ssh:", nil, false), ("ssh:-oProxyCommand=x", nil, false),
      ("ssh:a:b", nil, false), ("http://server:2379", nil, false),
    ])
  func addresses(text: String, description: String?, isExposed: Bool) {
    let address = EngineAddress(text)
    #expect(address?.description == description)
    #expect(address?.isExposed ?? false == isExposed)
  }
}
