import SceneJSON
import SceneModel
import Testing

@Suite("Session details")
struct SessionDetailsTests {
  private func text(of details: SessionDetails) -> String {
    var writer = JSONWriter()
    details.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("a command with other words or another directory is another command")
  func commands() {
    var other = Samples.program
    other.resume = nil
    #expect(other.startsAs(Samples.program))
    other.directory = "/"
    #expect(!other.startsAs(Samples.program))
    other.directory = Samples.program.directory
    other.arguments.append("x")
    #expect(!other.startsAs(Samples.program))
  }

  @Test("the title of a session without a title is the command of its program")
  func commandAsTitle() {
    var attributes = Samples.attributes
    let titles = ["Packing", nil].map { title in
      attributes.title = title
      let details = SessionDetails(StoredSession(attributes: attributes), scene: nil)
      #expect(details.sceneSession.title == details.summary.title)
      #expect(text(of: details).split(separator: "\"title\":").count == 3)
      return details.summary.title
    }
    #expect(titles == ["Packing", "vim a b \"\u{1}"])
  }
}
