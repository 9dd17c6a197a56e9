import SceneCommandLine
import Testing

@Suite("Arguments that are not UTF-8")
struct ArgumentsTests {
  private func read(_ arguments: [[UInt8]]) throws -> [String] {
    try Arguments.text(of: arguments.map { ContiguousArray($0) }, for: "stage")
  }

  @Test("valid UTF-8 is unchanged")
  func text() throws {
    let words = ["", "é", "旅行", "\u{10FFFF}", "a\u{FFFD}b"]
    #expect(try read(words.map { Array($0.utf8) }) == words)
  }

  @Test(
    "an invalid argument is reported with its number, byte and offset",
    arguments: [
      ([0xFF], "\"\\xff\"", 0xFF, 0), ([0x61, 0xC3, 0xA9, 0xC3], "\"aé\\xc3\"", 0xC3, 3),
      ([0x61, 0xC3, 0x62], "\"a\\xc3b\"", 0xC3, 1), ([0x80, 0x61], "\"\\x80a\"", 0x80, 0),
      // Half of a surrogate pair, an overlong form, a value above the last scalar.
      ([0xED, 0xA0, 0x80], "\"\\xed\\xa0\\x80\"", 0xED, 0),
      ([0x61, 0xC0, 0xAF], "\"a\\xc0\\xaf\"", 0xC0, 1),
      ([0x61, 0xF4, 0x90, 0x80, 0x80], "\"a\\xf4\\x90\\x80\\x80\"", 0xF4, 1),
    ] as [([UInt8], String, UInt8, Int)])
  func illFormed(bytes: [UInt8], shown: String, byte: UInt8, offset: Int) {
    let error = #expect(throws: UsageError.self) { try read([Array("a".utf8), bytes]) }
    #expect(
      error?.message
        == "argument 2 (\(shown)) is not text: \(IllFormedText(byte: byte, offset: offset))")
    #expect(error?.description.hasPrefix("stage: argument 2 ") == true)
  }

  @Test("a long argument makes a readable message")
  func long() {
    let bytes = [UInt8](repeating: 0x61, count: 100_000) + [0xFF]
    let error = #expect(throws: UsageError.self) { try read([bytes]) }
    #expect(error?.message.utf8.count ?? 1000 < 300)
    #expect(error?.message.hasSuffix("0xff at offset 100000 is not UTF-8") == true)
  }
}
