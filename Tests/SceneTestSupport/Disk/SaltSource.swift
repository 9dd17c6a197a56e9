import Synchronization

/// Salts for the journal's files. Two consecutive salts differ.
package final class SaltSource: Sendable {
  private let generator: Mutex<SeededGenerator>

  package init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

  @Sendable
  package func next() -> UInt64 { generator.withLock { $0.next() | 1 } }
}
