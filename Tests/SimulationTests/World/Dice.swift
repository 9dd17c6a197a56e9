import SceneTestSupport

/// Random numbers from a seed: the same seed gives the same numbers.
final class Dice {
  private var generator: ByteGenerator

  /// Each of the first numbers depends on a byte, and the others on the seed.
  init(seed: UInt64, bytes: [UInt8] = []) {
    generator = ByteGenerator(bytes: bytes[...], rest: SeededGenerator(seed: seed))
  }

  /// A new generator, for a user that can ask for numbers in a varying order.
  func fork() -> Dice { Dice(seed: generator.next()) }

  func word() -> UInt64 { generator.next() }

  func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

  /// True once in `count` times.
  func once(in count: Int) -> Bool { number(1...count) == 1 }

  /// One of the elements, of which there must be at least one.
  func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(0...elements.count - 1)]
  }

  /// One of the elements; nil if there are none.
  func any<Element>(of elements: [Element]) -> Element? {
    elements.isEmpty ? nil : pick(elements)
  }

  /// One of the elements. An element with a higher weight is more frequent.
  func pick<Element>(_ weighted: [(weight: Int, Element)]) -> Element {
    var left = number(1...weighted.reduce(0) { $0 + $1.weight })
    for (weight, element) in weighted {
      left -= weight
      if left <= 0 { return element }
    }
    preconditionFailure("the number is at most the sum of the weights")
  }

  /// A duration in milliseconds. Short durations are more frequent.
  func milliseconds(upTo limit: Int) -> Int64 {
    Int64(number(0...number(0...limit)))
  }
}

private struct ByteGenerator: RandomNumberGenerator {
  var bytes: ArraySlice<UInt8>
  var rest: SeededGenerator

  mutating func next() -> UInt64 {
    // A number in a range depends on the upper bits.
    bytes.popFirst().map { UInt64($0) &* 0x0101_0101_0101_0101 } ?? rest.next()
  }
}
