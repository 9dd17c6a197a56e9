import SceneCommandLine
import SceneModel
import Testing

@testable import SceneServer

/// A client that waits for the application delegate gets no message, but the log has one.
struct MissingDelegateTests {
  @Test("the log reports once that a client waits for a missing delegate")
  func missingDelegate() {
    var manifest = Manifest.builtIn
    manifest.applicationDelegate = .required
    let fixture = EventLoopFixture(manifest: manifest)
    let warnings = {
      fixture.log.lines.filter { $0.contains("for the application delegate, which the manifest") }
    }
    let client = fixture.client()
    #expect(warnings().isEmpty)
    fixture.send(SceneConnect(name: "packing"), id: 1, from: client)
    fixture.send(SceneConnect(name: "list"), id: 2, from: client)
    #expect(warnings().count == 1)
    #expect(warnings().first?.contains("warning: 1 request waits") == true)
    #expect(warnings().first?.contains("scenectl delegate") == true)
    fixture.iterate { fixture.eventLoop.close(client, .connectionLost) }
    let (one, other) = (fixture.client(pid: 2), fixture.client(pid: 3))
    fixture.iterate {
      for (id, client) in [(1, one), (2, other)] {
        fixture.receive(SceneConnect(name: "s\(id)"), id: Int64(id), from: client)
      }
    }
    #expect(warnings().count == 2)
    #expect(warnings().last?.contains("2 requests wait") == true)
  }
}
