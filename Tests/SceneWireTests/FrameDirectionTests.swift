import SceneWire
import Testing

@Suite("Frames in the debug output")
struct FrameDirectionTests {
  @Test("a frame is one line with an arrow, and control characters are escaped")
  func line() {
    let content = ContiguousArray("{\"a\":\n\u{1B}1}".utf8)
    #expect(FrameDirection.sent.line(of: content) == #"→ {"a":\n\u001b1}"#)
    #expect(FrameDirection.received.line(of: ContiguousArray("{}".utf8)) == "← {}")
  }

  @Test(
    "SCENE_DEBUG is a list of words, and wire is the only one",
    arguments: [
      (nil, false, nil), ("", false, nil), ("wire", true, nil),
      ("wire,x", true, #"SCENE_DEBUG: "x" is unknown; set wire to print every frame"#),
      ("wires", false, #"SCENE_DEBUG: "wires" is unknown; set wire to print every frame"#),
    ] as [(String?, Bool, String?)])
  func setting(setting: String?, areShown: Bool, complaint: String?) {
    #expect(FrameDirection.areShown(by: setting) == areShown)
    #expect(FrameDirection.complaint(about: setting) == complaint)
  }
}
