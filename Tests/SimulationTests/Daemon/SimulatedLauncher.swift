import SceneBroker
import SceneModel
import ScenePlatform
import SceneServer

/// The programs that the daemon's process has launched. They stay its children over an upgrade, and
/// lose their parent when the daemon is killed.
final class SimulatedLauncher: ProgramLauncher {
  unowned let world: World
  private(set) var children: [LaunchIdentifier: SimulatedClient] = [:]
  private var exits: [LaunchIdentifier] = []
  /// Whether programs fail to start, or hang.
  var hasFaults = true

  init(in world: World) { self.world = world }

  func start(_ request: LaunchRequest, token: String) throws(SystemError) -> ClientProcess {
    guard !hasFaults || !world.dice.once(in: 10) else {
      throw SystemError(call: "execve", code: .notFound)
    }
    let client = world.addClient(
      kind: .scene, name: "notes", hosts: ["Document"],
      behavior: hasFaults ? world.behavior : .best)
    (client.token, client.isLaunched) = (token, true)
    children[request.identifier] = client
    world.model.saw("launched a program")
    return client.process
  }

  func end(_ launch: LaunchIdentifier) {
    if let client = children[launch] { world.kill(client) }
  }

  func endSurvivors(sparing connected: Set<Int64>) {
    let kept = Set(children.values.map(\.process))
    for client in world.clients
    where client.isLaunched && !kept.contains(client.process)
      && !connected.contains(client.process.pid)
    {
      world.kill(client)
    }
  }

  /// The process of a client has ended.
  func ended(_ client: SimulatedClient) {
    exits += children.filter { $0.value === client }.map(\.key)
  }

  /// Reports the exits to the parent.
  func reportExits(to eventLoop: EventLoop) {
    for launch in exits {
      guard let client = children.removeValue(forKey: launch) else { continue }
      if client.hasUpgradedParent { world.model.saw("exit after an upgrade") }
      eventLoop.exited(launch, ClientExit(signal: "KILL"))
    }
    exits = []
  }

  func noteUpgrade() {
    for client in children.values { client.hasUpgradedParent = true }
  }

  /// The daemon's process has ended.
  func loseChildren() { (children, exits) = ([:], []) }

  func endAll() {
    for client in children.values.sorted(by: { $0.number < $1.number }) { world.kill(client) }
  }
}
