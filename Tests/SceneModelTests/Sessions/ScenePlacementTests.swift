import SceneJSON
import SceneModel
import Testing

struct ScenePlacementTests {
  private let place: TmuxPlace = {
    var place = TmuxPlace()
    (place.server, place.session, place.identifier) = ("default", "a \"b\"", "%7")
    (place.window, place.pane, place.paneCount) = (3, 1, 2)
    place.layout = "b25f,80x24,0,0{40x24,0,0,0,39x24,41,0,1}"
    return place
  }()

  @Test("a placement is read as it was written, and a place that is too large is left out")
  func objects() throws {
    let whole = ScenePlacement(isPrompt: true, tmux: place)
    #expect(ScenePlacement(whole.object) == whole)
    var large = place
    large.layout = String(repeating: "x", count: ScenePlacement.byteLimit)
    #expect(
      ScenePlacement(ScenePlacement(isPrompt: true, tmux: large).object)
        == ScenePlacement(isPrompt: true, tmux: nil))
    #expect(ScenePlacement(isPrompt: false, tmux: large).object == nil)
    #expect(ScenePlacement(.empty) == ScenePlacement())
    for other in [#"{"prompt":1}"#, #"{"tmux":{"session":"a"}}"#] {
      let object = OpaqueObject(unchecked: RawJSON(unchecked: ContiguousArray(other.utf8)))
      #expect(ScenePlacement(object) == nil)
    }
  }

  @Test("a window that opens again keeps its place until it has as many panes as before")
  func following() {
    var now = place
    (now.pane, now.paneCount, now.layout, now.identifier) = (0, 1, "b25f,80x24,0,0,0", "%9")
    var kept = place
    kept.identifier = "%9"
    func stored(_ former: TmuxPlace?, isOpening: Bool = false, awaitsPanes: Bool = true)
      -> TmuxPlace
    {
      now.following(former, isOpening: isOpening, awaitsPanes: awaitsPanes)
    }
    #expect(stored(place, isOpening: true) == kept)
    #expect(stored(place) == kept)
    #expect(stored(place, awaitsPanes: false) == now)
    now.paneCount = 2
    now.window = 4
    #expect(stored(place, isOpening: true) == kept)
    #expect(stored(place) == now)
    now.session = "b"
    #expect(stored(place, isOpening: true) == now)
    #expect(stored(nil, isOpening: true) == now)
  }
}
