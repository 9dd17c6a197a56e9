import ScenePlatform
import Synchronization
import Testing

@testable import SceneClient

/// A state and its readers.
struct StateSourceTests {
  @Test("a reader of a state can be cancelled while the state changes", .timeLimit(.minutes(10)))
  func readers() async throws {
    let source = StateSource(0)
    let isOver = Mutex(false)
    _ = try Thread("changes") {
      var value = 0
      while !isOver.withLock({ $0 }) {
        value += 1
        source.set(value)
      }
    }
    for _ in 0..<5_000 {
      let reader = Task(priority: .high) { for await _ in source.stream() {} }
      await Task.yield()
      reader.cancel()
      await reader.value
    }
    isOver.withLock { $0 = true }
  }
}
