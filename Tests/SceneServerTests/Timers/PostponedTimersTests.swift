import SceneBroker
import Synchronization
import Testing

@testable import SceneServer

struct PostponedTimersTests {
  private let one = ConnectionIdentifier(1)

  @Test("postponed timers expire in order after an iteration that read all input")
  func order() {
    var postponed = PostponedTimers<Int>()
    for timer in [5, 3, 4, 1] {
      postponed.add(timer, on: timer == 3 ? nil : one, iteration: 7, latest: 100)
    }
    postponed.remove(4)
    #expect(postponed.takeEnded(iteration: 7, at: 0) { _ in false }.isEmpty)
    #expect(postponed.takeEnded(iteration: 8, at: 0) { $0 == nil } == [5, 1])
    #expect(postponed.takeEnded(iteration: 9, at: 99) { _ in true }.isEmpty)
    #expect(postponed.takeEnded(iteration: 9, at: 100) { _ in true } == [3])
    #expect(postponed.isEmpty)
  }

  /// A timer that counts how often it is compared.
  private struct Counted: Hashable {
    static let comparisons = Mutex(0)
    let number: Int

    static func == (one: Self, other: Self) -> Bool {
      comparisons.withLock { $0 += 1 }
      return one.number == other.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  @Test("the removal of a timer does not compare the others")
  func cost() {
    var postponed = PostponedTimers<Counted>()
    for number in 0..<1000 {
      postponed.add(Counted(number: number), on: one, iteration: 1, latest: 100)
    }
    for number in 0..<1000 { postponed.remove(Counted(number: number)) }
    #expect(postponed.isEmpty)
    #expect(Counted.comparisons.withLock { $0 } < 100_000)
  }
}
