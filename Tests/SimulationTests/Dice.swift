import SceneTestSupport

/// Chance, as a seed decides: the same seed throws the same numbers.
final class Dice {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Dice of their own, for something that is asked for numbers in an order that may vary.
  func fork() -> Dice { Dice(seed: generator.next()) }

  func word() -> UInt64 { generator.next() }

  func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

  /// True once in so many times.
  func once(in count: Int) -> Bool { number(1...count) == 1 }

  /// One of them; there must be one.
  func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(0...elements.count - 1)]
  }

  /// One of them, or nil if there is none.
  func any<Element>(of elements: [Element]) -> Element? {
    elements.isEmpty ? nil : pick(elements)
  }

  /// One of them, as often as its weight says.
  func pick<Element>(_ weighted: [(weight: Int, Element)]) -> Element {
    var left = number(1...weighted.reduce(0) { $0 + $1.weight })
    for (weight, element) in weighted {
      left -= weight
      if left <= 0 { return element }
    }
    preconditionFailure("the weights add up")
  }

  /// A time in milliseconds: most are short.
  func milliseconds(upTo limit: Int) -> Int64 {
    Int64(number(0...number(0...limit)))
  }
}
