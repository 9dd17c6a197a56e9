import SceneModel
import SceneServer

@testable import SceneBroker

/// Steps against a shortage of memory.
extension World {
  func press() {
    iterate { eventLoop in
      for _ in 0..<dice.number(1...4) { step(eventLoop) }
    }
  }

  /// Memory is short: the broker takes one step. At most one scene gets another target: the least
  /// recently used one of those that are at rest in the background without an assertion.
  private func step(_ eventLoop: EventLoop) {
    let scenes = eventLoop.broker.scenes.all.values.map { scene in
      (scene: scene, target: scene.target, mayLeave: mayLeave(scene, eventLoop))
    }
    eventLoop.takePressureStep()
    let changed = scenes.filter { $0.target != $0.scene.target }
    model.check(changed.count <= 1, "one step has ended \(changed.count) scenes")
    guard let (scene, _, mayLeave) = changed.first else {
      return model.saw("memory pressure: none reclaimed")
    }
    model.saw("memory pressure: reclaimed")
    if scenes.contains(where: { !$0.scene.assertions.isEmpty && $0.target == .background }) {
      model.saw("memory pressure: an assertion")
    }
    model.check(
      mayLeave && scene.target == .unattached && scene.intent?.reason == .reclaimed,
      "memory pressure has ended \(scene.session.short), which is in use")
    func order(_ scene: SceneStateMachine) -> Int64 {
      eventLoop.broker.stored[scene.session]?.hold.order ?? 0
    }
    let first = scenes.filter(\.mayLeave).map { order($0.scene) }.min()
    model.check(
      order(scene) == first, "memory pressure has ended \(scene.session.short) out of order")
  }

  private func mayLeave(_ scene: SceneStateMachine, _ eventLoop: EventLoop) -> Bool {
    scene.target == .background && scene.assertions.isEmpty
      && eventLoop.broker.isAtRest(scene.session)
  }
}
