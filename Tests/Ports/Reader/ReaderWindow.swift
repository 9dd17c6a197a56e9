import SceneApp

/// The view code of the program.
nonisolated class ReaderWindow {
  private let scene: Scene
  var page = 0

  init(_ scene: Scene) { self.scene = scene }

  func turnPage() {
    page += 1
    scene.title = "Page \(page)"
    print("page", page)
  }
}
