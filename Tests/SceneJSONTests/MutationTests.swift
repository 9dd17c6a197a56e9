import Foundation
import SceneFuzzing
import SceneJSON
import Testing

/// Random mutations of texts. No mutation crashes the parser, and other parsers accept every text
/// that it accepts.
struct MutationTests {
  private static let seeds = [
    #"{"jsonrpc":"2.0","id":3,"method":"session/saveActivity","params":{"session":null}}"#,
    #"[1,-2.5e+10,0.001,true,false,null,"x",[],{},[[[]]],{"a":{"b":[{}]}}]"#,
    #"{"a\u0062\n":"\ud83d\ude00é漢😀\\\"\/","":[" ",""],"x":1E40}"#,
    " [ 1 , 2 ]\t\r\n", "\"\\u0000\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\"",
    "-0", "9007199254740993", #""text""#,
  ].map { Array($0.utf8) }

  private static let parts: [[UInt8]] =
    [
      "[", "]", "{", "}", ",", ":", "\"", "\\", "\\u", "\\ud800", "\\udc00", "null", "true", "-",
      "0", "1", ".", "e", "E+", " ", "\n", "/", "//", "\u{0}", "\u{1F}", "é", "😀", "\u{FEFF}",
    ].map { Array($0.utf8) } + [[0x80], [0xC0], [0xED, 0xA0, 0x80], [0xF4, 0x90], [0xFF]]

  @Test("20,000 mutated texts are accepted only if they are JSON")
  func mutations() throws {
    let variable = ProcessInfo.processInfo.environment["JSON_TEST_SEED"]
    let seed = variable.flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
    print("JSON_TEST_SEED=\(seed)")
    var random = SeededGenerator(seed: seed)
    let document = JSONDocument()
    var accepted = 0
    for _ in 0..<20_000 {
      let text = Self.mutated(using: &random)
      if try checkReading(text, in: document) { accepted += 1 }
    }
    #expect(accepted > 100)
  }

  private static func mutated(using random: inout SeededGenerator) -> [UInt8] {
    var text = seeds.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0...text.count, using: &random)
      let end = Int.random(in: place...min(place + 8, text.count), using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: text.removeSubrange(place..<end)
      case 1: text.insert(contentsOf: parts.randomElement(using: &random) ?? [], at: place)
      case 2: text.replaceSubrange(place..<end, with: parts.randomElement(using: &random) ?? [])
      case 3: text.insert(contentsOf: text[place..<end], at: place)
      default: if place < text.count { text[place] = .random(in: 0 ... .max, using: &random) }
      }
    }
    return text
  }
}

/// A text is refused within its bytes, or other parsers accept it, and its value written again is
/// read as the same value. Returns whether the text is accepted.
@discardableResult
func checkReading(_ text: [UInt8], in document: JSONDocument) throws -> Bool {
  do {
    try document.read(text)
  } catch {
    #expect(error.offset >= 0 && error.offset <= text.count)
    #if !canImport(Darwin)
      // Foundation allows a comma after the last element.
      if error.reason != .trailingComma {
        #expect(!isJSON(text), "refused \(String(decoding: text, as: UTF8.self)): \(error)")
      }
    #endif
    return false
  }
  if hasOnlyFiniteNumbers(document.root) {
    #expect(isJSON(text), "accepted \(String(decoding: text, as: UTF8.self))")
  }
  let once = rewritten(document.root)
  try document.read(once)
  #expect(rewritten(document.root) == once)
  return true
}

/// Whether Foundation and the standard library accept a text as JSON.
private func isJSON(_ text: [UInt8]) -> Bool {
  // Foundation also reads UTF-16 and UTF-32, with and without a byte order mark.
  if text.contains(0) || text.starts(with: [0xEF, 0xBB, 0xBF]) { return false }
  guard String(validating: text, as: UTF8.self) != nil else { return false }
  return (try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)) != nil
}

/// Whether Foundation can represent all numbers in a value.
private func hasOnlyFiniteNumbers(_ value: JSONValue) -> Bool {
  switch value.kind {
  case .null, .bool, .string: true
  case .number: value.double != nil
  case .array: value.elements.allSatisfy(hasOnlyFiniteNumbers)
  case .object: value.members.allSatisfy { hasOnlyFiniteNumbers($0.value) }
  }
}
