import ScenePlatform
import SceneTestSupport
import Synchronization

/// A `scene` process that saves one numbered activity after another, whatever the broker does.
final class SavingScene {
  let name: String
  private let scene: RunningProgram
  private let progress: ConditionMutex<Progress>
  private let thread: Mutex<Thread?>

  private struct Progress: Sendable {
    var acknowledged: Int64 = 0
    var surprises: [String] = []
    var isStopping = false
    var hasEnded = false
  }

  init(_ name: String, _ daemon: Daemon) throws {
    self.name = name
    let scene = try daemon.scene(name, "--json")
    self.scene = scene
    let progress = ConditionMutex(Progress())
    self.progress = progress
    // Only that thread uses the scene.
    nonisolated(unsafe) let mine = scene
    thread = Mutex(try Thread("saving") { Self.save(in: mine, progress) })
  }

  private static func save(in scene: RunningProgram, _ progress: ConditionMutex<Progress>) {
    do {
      while !progress.withLock({ $0.isStopping }) {
        let number = progress.withLock { $0.acknowledged } + 1
        try scene.type(
          #"{"do":"activity","activityType":"note","userInfo":{"number":\#(number)}}"#)
        let heard = try scene.lines(upTo: #""reply":{"generation":\#(number)}"#)
        let surprises = heard.dropLast().filter { !$0.hasPrefix(#"{"state":"#) }
        progress.withLock {
          $0.acknowledged = number
          $0.surprises += surprises
        }
      }
    } catch {
      progress.withLock { $0.surprises.append("\(error)") }
    }
    progress.withLock { $0.hasEnded = true }
  }

  var pid: Int32 { scene.child.pid }

  /// The number of the last activity that was acknowledged.
  var acknowledged: Int64 { progress.withLock { $0.acknowledged } }

  /// All output except acknowledgements and the state of the connection.
  var surprises: [String] { progress.withLock { $0.surprises } }

  /// Waits until `count` more saves are acknowledged.
  func awaitMore(_ count: Int) throws {
    let goal = acknowledged + Int64(count)
    let hasCome = progress.wait(until: SystemClock.monotonic() + ceiling) { progress -> Bool? in
      progress.acknowledged >= goal ? true : progress.hasEnded ? false : nil
    }
    guard hasCome == true else {
      throw Unmet("\(name) did not get \(goal) activities saved: \(surprises)")
    }
  }

  /// Stops saving, and returns after the last acknowledgement.
  func stop() throws {
    progress.withLock { $0.isStopping = true }
    thread.withLock { $0.take() }?.join()
  }
}

extension [SavingScene] {
  func awaitMore(_ count: Int) throws {
    for saver in self { try saver.awaitMore(count) }
  }
}
