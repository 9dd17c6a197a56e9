import SceneClient
import ScenePlatform
import SceneScript

extension Scene.ProcessExit {
  init(_ end: ProcessEnd) {
    switch end {
    case .exited(let status): self = .exited(Int(status))
    case .signalled(let signal): self = .signalled(signal.name)
    }
  }
}
