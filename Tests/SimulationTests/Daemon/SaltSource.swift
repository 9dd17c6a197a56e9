import SceneTestSupport
import Synchronization

/// Salts for the journal's files. Two consecutive salts differ.
final class SaltSource: Sendable {
  private let generator: Mutex<SeededGenerator>

  init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

  @Sendable
  func next() -> UInt64 { generator.withLock { $0.next() | 1 } }
}
