import SceneJSON
import Testing

struct StringTests {
  @Test(
    "every escape is decoded",
    arguments: [
      (#""\"""#, "\""), (#""\\""#, "\\"), (#""\/""#, "/"), (#""\b""#, "\u{8}"),
      (#""\f""#, "\u{C}"), (#""\n""#, "\n"), (#""\r""#, "\r"), (#""\t""#, "\t"),
      (#""\u0041""#, "A"), (#""\u0000""#, "\u{0}"), (#""\u00e9""#, "é"), (#""\u00E9""#, "é"),
      (#""\uABCF""#, "\u{ABCF}"),
      (#""\u20AC""#, "€"), (#""\ud83d\uDE00""#, "😀"), (#""\uD800\uDC00""#, "\u{10000}"),
      (#""\udbff\udfff""#, "\u{10FFFF}"), (#""\uffff""#, "\u{FFFF}"), (#""\ud7ff""#, "\u{D7FF}"),
      (#""\ue000""#, "\u{E000}"), (#""a\nb\u0063\\d""#, "a\nbc\\d"), (#""\\u0041""#, "\\u0041"),
      (#""12345678\n12345678""#, "12345678\n12345678"), (#""é\u00e9é""#, "ééé"),
    ])
  func unescapes(text: String, expected: String) throws {
    let value = try parse(text)
    #expect(value.string == expected)
    #expect(value.equals(expected))
    let bytes = value.withUTF8 { text in text.withUnsafeBufferPointer { Array($0) } }
    #expect(bytes == Array(expected.utf8))
  }

  @Test(
    "an invalid escape is refused",
    arguments: [
      RemoteError(#""\a""#, .invalidEscape, at: 1),
      RemoteError(#""\0""#, .invalidEscape, at: 1),
      RemoteError(#""\x41""#, .invalidEscape, at: 1),
      RemoteError(#""\U0041""#, .invalidEscape, at: 1),
      RemoteError(#""\'""#, .invalidEscape, at: 1),
      RemoteError("\"\\\n\"", .invalidEscape, at: 1),
      RemoteError(#""ab\u00g0""#, .invalidEscape, at: 3),
      RemoteError(#""\u004""#, .invalidEscape, at: 1),
      RemoteError(#""\u+041""#, .invalidEscape, at: 1),
      RemoteError(#""\u 041""#, .invalidEscape, at: 1),
      RemoteError(#""\u{41}""#, .invalidEscape, at: 1),
      RemoteError(#""\ud800""#, .loneSurrogate, at: 1),
      RemoteError(#""\udfff""#, .loneSurrogate, at: 1),
      RemoteError(#""\udc00\ud800""#, .loneSurrogate, at: 1),
      RemoteError(#""\udc00\udc00""#, .loneSurrogate, at: 1),
      RemoteError(#""\ud800\ud800""#, .loneSurrogate, at: 1),
      RemoteError(#""\ud800\u0041""#, .loneSurrogate, at: 1),
      RemoteError(#""\ud800\n""#, .loneSurrogate, at: 1),
      RemoteError(#""\ud800x""#, .loneSurrogate, at: 1),
      RemoteError(#""a\ud83dude00""#, .loneSurrogate, at: 2),
      RemoteError(#""\ud800\u00""#, .invalidEscape, at: 7),
      RemoteError(#""\"#, .unexpectedEnd, at: 2),
      RemoteError(#""\u"#, .unexpectedEnd, at: 3),
      RemoteError(#""\u004"#, .unexpectedEnd, at: 6),
      RemoteError(#""\""#, .unexpectedEnd, at: 3),
      RemoteError(#""abc"#, .unexpectedEnd, at: 4),
      RemoteError(#"""#, .unexpectedEnd, at: 1),
    ])
  func refusesEscape(_ refusal: RemoteError) {
    refusal.check()
  }

  @Test("a control character at any position of a string is rejected")
  func refusesControlCharacters() {
    for byte in UInt8(0)..<0x20 {
      for place in 0..<20 {
        var text = [UInt8](repeating: 0x61, count: 20)
        text[place] = byte
        let expected = JSONError(.controlCharacter, at: place + 1)
        #expect(errorReading([0x22] + text + [0x22]) == expected)
      }
    }
    #expect(errorReading("\"\u{7F}\u{80}\u{9F}\"") == nil)
  }

  @Test(
    "ill-formed UTF-8 is refused, with the position of its sequence",
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xC2, 0xC2], [0xDF, 0x7F],
      [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xE0, 0xA0], [0xE0, 0xA0, 0x41], [0xE1, 0x80],
      [0xE1, 0x7F, 0x80], [0xE1, 0x80, 0xC0], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0xEF, 0xBF, 0xC0], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90, 0x80],
      [0xF1, 0x80, 0x80, 0x41], [0xF1, 0x80, 0x41, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC, 0x84, 0x80], [0xFE], [0xFF],
    ] as [[UInt8]])
  func refusesIllFormed(sequence: [UInt8]) {
    let before = [0x22, 0x61, 0xC3, 0xA9] as [UInt8]
    let error = JSONError(.invalidUTF8, at: before.count)
    #expect(errorReading(before + sequence + [0x22]) == error)
    #expect(errorReading(before + sequence) == error)
    // The same in a longer text, and after several non-ASCII scalars.
    #expect(errorReading(before + sequence + Array("12345678901234567890\"".utf8)) == error)
  }

  @Test(
    "the first and the last scalar of every length are accepted",
    arguments: [
      [0x20], [0x7F], [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF],
      [0xEE, 0x80, 0x80], [0xEF, 0xBB, 0xBF], [0xEF, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80],
      [0xF4, 0x8F, 0xBF, 0xBF],
    ] as [[UInt8]])
  func acceptsWellFormed(sequence: [UInt8]) throws {
    let value = try parse([0x22] + sequence + [0x22])
    #expect(value.string.map { Array($0.utf8) } == sequence)
  }

  @Test("every Unicode scalar survives writing and reading, raw and escaped")
  func carriesEveryScalar() throws {
    let document = JSONDocument()
    var writer = JSONWriter()
    let digits = Array("0123456789abcdef".utf8)
    for first in stride(from: UInt32(0), to: 0x110000, by: 0x800) where first != 0xD800 {
      let scalars = (first..<first + 0x800).compactMap(Unicode.Scalar.init)
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      let string = String(text)

      writer.removeAll()
      writer.string(string)
      try document.read(writer.bytes.span)
      #expect(document.root.string == string)

      var escaped: [UInt8] = [0x22]
      for unit in string.utf16 {
        escaped += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
        for shift in [12, 8, 4, 0] { escaped.append(digits[Int(unit >> shift & 0xF)]) }
      }
      try document.read(escaped + [0x22])
      #expect(document.root.string.map { Array($0.utf8) } == Array(string.utf8))
      #expect(document.root.equals(string))
    }
  }

  @Test("the UTF-8 of a string is accessible without a String")
  func handsOutUTF8() throws {
    #expect(try parse(#""abc""#).withUTF8 { $0.count } == 3)
    #expect(try parse(#""a\u00e9c""#).withUTF8 { $0.count } == 4)
    #expect(try parse(#""""#).withUTF8 { $0.count } == 0)
    #expect(try parse("12").withUTF8 { $0.count } == nil)
    #expect(throws: JSONError(.tooLong, at: 2)) {
      try parse(#""a\n""#).withUTF8 { throw JSONError(.tooLong, at: $0.count) }
    }
  }

  @Test("strings of any length compare by their bytes")
  func compares() throws {
    for length in 0..<40 {
      let text = String(repeating: "x", count: length)
      let value = try parse("\"\(text)\"")
      #expect(value.equals(text))
      #expect(!value.equals(text + "x"))
      #expect(!value.equals(text + "\u{0}"))
      for place in 0..<length {
        var other = Array(text.utf8)
        other[place] = 0x79
        #expect(!value.equals(String(decoding: other, as: UTF8.self)))
      }
    }
    #expect(try parse(#""jsonrpc""#).equals("jsonrpc" as StaticString))
    #expect(try !parse(#""jsonrpd""#).equals("jsonrpc" as StaticString))
    #expect(try parse(#""json\u0072pc""#).equals("jsonrpc" as StaticString))
    #expect(try !parse(#""json\u0072p""#).equals("jsonrpc" as StaticString))
    #expect(try !parse(#""json\u0072pcs""#).equals("jsonrpc" as StaticString))
    #expect(try !parse("null").equals("null" as StaticString))
    #expect(try parse(#""\u00e9""#).equals(parse("\"é\"")))
    #expect(try !parse("\"e\u{301}\"").equals(parse("\"é\"")))
    #expect(try !parse("1").equals(parse("1")))
  }
}
