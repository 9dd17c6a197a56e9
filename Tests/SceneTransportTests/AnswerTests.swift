import SceneJSON
import SceneModel
import SceneWire
import Testing

@testable import SceneTransport

@Suite("Answers that all clients give")
struct AnswerTests {
  @Test("an unknown method is answered with methodNotFound and a message of limited length")
  func unknownMethod() throws {
    let document = JSONDocument()
    let name = String(repeating: "x", count: 10_000)
    try document.read(#"["a/b", "\#(name)", 7]"#.utf8)
    let names = document.root.elements.map(\.methodName)
    #expect(names[0] == "a/b")
    #expect(names[1].utf8.count < 200)
    #expect(names[2] == "")
    var writer = FrameWriter()
    writer.methodNotFound(.number(7), "this client has no method \(names[0])")
    #expect(
      String(decoding: writer.take().dropFirst(FrameDecoder.headerLength), as: UTF8.self)
        == #"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"#
        + #""message":"this client has no method a/b"}}"#)
  }

  @Test("the broker of another application is refused, unless no application was named")
  func application() {
    var reply = Initialize.Reply()
    reply.application.name = "mail"
    #expect(reply.complaint(aboutApplication: nil) == nil)
    #expect(reply.complaint(aboutApplication: "mail") == nil)
    #expect(
      reply.complaint(aboutApplication: "notes")
        == "the broker serves the application mail, not notes")
  }
}
