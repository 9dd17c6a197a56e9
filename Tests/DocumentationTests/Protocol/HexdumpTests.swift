import SceneJSON
import SceneModel
import SceneTestSupport
import SceneWire
import Testing

/// The codec writes and reads the bytes on the protocol's page.
struct HexdumpTests {
  private let request: Hexdump
  private let reply: Hexdump
  /// The two messages that the page shows below the dumps.
  private let shown: [WireExample.Step]

  init() throws {
    let page = try Page.manual("Protocol")
    let dumps = try page.blocks.compactMap(Hexdump.init)
    try #require(dumps.map(\.direction) == [.toBroker, .toClient])
    (request, reply) = (dumps[0], dumps[1])
    let example = try #require(try page.blocks.lazy.compactMap(WireExample.init).first)
    shown = example.steps
  }

  /// The contents of the frames in `bytes`.
  private func contents(of bytes: [UInt8]) throws -> [String] {
    var decoder = FrameDecoder(limit: Limits().frameBytes)
    var contents: [String] = []
    try decoder.decode(ContiguousArray(bytes).span) { content in
      contents.append(String(decoding: content.indices.map { content[$0] }, as: UTF8.self))
      return true
    }
    #expect(!decoder.isWithinFrame, "bytes are left over")
    return contents
  }

  @Test("the text beside the bytes shows the same bytes")
  func text() {
    for dump in [request, reply] {
      #expect(dump.text == Hexdump.text(of: dump.bytes))
      #expect(dump.meanings[1].hasSuffix(": \(dump.bytes.count - 4) bytes follow"))
    }
  }

  @Test("the request's bytes are one frame with the JSON on the page")
  func requestContent() throws {
    let contents = try contents(of: request.bytes)
    #expect(shown.first == .says(client: "", contents.joined(separator: " | ")))
  }

  @Test("the reply's bytes are one frame with the JSON on the page")
  func replyContent() throws {
    let contents = try contents(of: reply.bytes)
    try #require(contents.count == 1)
    guard case .hears("", let pattern) = shown[1] else {
      throw Unmet("the page does not show the reply after the request")
    }
    var names = Pattern.Names()
    #expect(Pattern(pattern).mismatch(with: contents[0], &names) == nil)
  }

  @Test("the codec writes the same bytes for the same messages")
  func writing() throws {
    let document = JSONDocument()
    var writer = FrameWriter()
    try writer.request(
      .number(1), Initialize(client: ClientName(name: "notes", version: ""), as: .scene))
    #expect(Array(writer.take()) == request.bytes)

    let json = try #require(try contents(of: reply.bytes).first)
    let content = ContiguousArray(json.utf8)
    guard case .result(let identifier, let result) = try Envelope(content.span, into: document)
    else { throw Unmet("not a reply") }
    writer.reply(identifier, BrokerReply(try Initialize.Reply(reading: result)))
    #expect(Array(writer.take()) == reply.bytes)
  }
}
