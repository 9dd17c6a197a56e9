import SceneJSON
import Testing

struct WriterTests {
  @Test("a writer puts commas between values and members")
  func commas() {
    let text = written { writer in
      writer.beginObject()
      writer.name("a")
      writer.beginArray()
      writer.integer(1)
      writer.integer(-2)
      writer.integer(UInt64.max)
      writer.bool(true)
      writer.bool(false)
      writer.null()
      writer.string("x")
      writer.beginObject()
      writer.endObject()
      writer.beginArray()
      writer.endArray()
      writer.double(0.5)
      writer.raw(.null)
      writer.endArray()
      writer.name("b" as String)
      writer.string("y" as String)
      writer.name("c")
      writer.beginObject()
      writer.name("d")
      writer.integer(-1)
      writer.endObject()
      writer.name("e")
      writer.null()
      writer.endObject()
    }
    let array = #"[1,-2,18446744073709551615,true,false,null,"x",{},[],0.5,null]"#
    #expect(text == #"{"a":"# + array + #","b":"y","c":{"d":-1},"e":null}"#)
  }

  @Test("a writer writes consecutive texts without commas between them")
  func texts() {
    var writer = JSONWriter()
    writer.output.append(UInt32(2))
    writer.beginArray()
    writer.endArray()
    writer.output.append(UInt32(1))
    writer.integer(1)
    writer.output.append(UInt8(0x20))
    writer.string("a")
    #expect(
      Array(writer.bytes) == [0, 0, 0, 2] + Array("[]".utf8) + [0, 0, 0, 1] + Array("1 \"a\"".utf8))
  }

  @Test("an unfinished text can be removed")
  func takesBack() {
    var writer = JSONWriter()
    writer.beginArray()
    writer.integer(1)
    writer.endArray()
    let mark = writer.bytes.count
    writer.beginObject()
    writer.name("a")
    writer.beginArray()
    writer.integer(1)
    writer.truncate(to: mark)
    writer.null()
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "[1]null")

    writer.beginArray()
    writer.integer(1)
    writer.removeAll()
    writer.integer(2)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "2")
  }

  @Test("a writer escapes only the needed bytes at any position and length")
  func escapes() throws {
    let escapes: [(UInt8, String)] =
      (UInt8(0)..<0x20).map { byte in
        switch byte {
        case 0x08: (byte, #"\b"#)
        case 0x09: (byte, #"\t"#)
        case 0x0A: (byte, #"\n"#)
        case 0x0C: (byte, #"\f"#)
        case 0x0D: (byte, #"\r"#)
        default: (byte, #"\u00"# + (byte < 16 ? "0" : "") + String(byte, radix: 16))
        }
      } + [(0x22, #"\""#), (0x5C, #"\\"#)]
    for length in [0, 1, 2, 7, 8, 9, 15, 16, 17, 86, 87, 88, 89, 200] {
      for place in Set([0, length / 2, length]) {
        for (byte, escape) in escapes {
          let before = String(repeating: "a", count: place)
          let after = String(repeating: "é", count: (length - place) / 2)
          let text = before + String(UnicodeScalar(byte)) + after
          #expect(written { $0.string(text) } == "\"" + before + escape + after + "\"")
        }
      }
    }
  }

  @Test(
    "other characters are written unchanged",
    arguments: [
      "", "a", "/", "'", "\u{7F}", "\u{80}", "é", "€", "😀", "\u{2028}", "12345678", "123456789",
      "ää", "ääää", "äääää", "\u{FEFF}", String(repeating: "ü", count: 60),
      String(repeating: "x", count: 87), String(repeating: "x", count: 88),
      String(repeating: "x", count: 89), String(repeating: "x", count: 10_000),
    ])
  func plainStrings(text: String) {
    #expect(written { $0.string(text) } == "\"" + text + "\"")
    let utf8 = ContiguousArray(text.utf8)
    #expect(written { $0.string(utf8: utf8.span) } == "\"" + text + "\"")
    let object = written { writer in
      writer.beginObject()
      writer.name(text)
      writer.null()
      writer.name(text)
      writer.null()
      writer.endObject()
    }
    #expect(object == "{\"\(text)\":null,\"\(text)\":null}")
  }

  @Test("names are escaped like strings")
  func names() {
    let text = written { writer in
      writer.beginObject()
      writer.name("a\"b" as String)
      writer.integer(1)
      writer.name("c\n" as String)
      writer.integer(2)
      writer.endObject()
    }
    #expect(text == #"{"a\"b":1,"c\n":2}"#)
  }

  @Test("a writer writes integers of every length and type")
  func integers() {
    var magnitude: UInt64 = 1
    for _ in 0..<19 {
      for value in [magnitude - 1, magnitude, magnitude + 1] {
        #expect(written { $0.integer(value) } == "\(value)")
        if let signed = Int64(exactly: value) {
          #expect(written { $0.integer(-signed) } == "\(-signed)")
        }
      }
      magnitude *= 10
    }
    #expect(written { $0.integer(Int64.min) } == "-9223372036854775808")
    #expect(written { $0.integer(Int64.max) } == "9223372036854775807")
    #expect(written { $0.integer(UInt64.max) } == "18446744073709551615")
    #expect(written { $0.integer(UInt8(7)) } == "7")
    #expect(written { $0.integer(Int32(-7)) } == "-7")
    #expect(written { $0.integer(0) } == "0")
    #expect(
      written { $0.integer(UInt128.max) } == "340282366920938463463374607431768211455")
  }

  @Test(
    "a written double is read as the same double",
    arguments: [
      0, -0.0, 0.1, 1, -1.5, 1e15, 1e16, 1e21, 1e22, 1e-5, .leastNonzeroMagnitude, 1.0 / 3, .pi,
      .greatestFiniteMagnitude, .leastNormalMagnitude, -123_456.789,
    ] as [Double])
  func doubles(value: Double) throws {
    let read = try parse(written { $0.double(value) }).double
    #expect(read?.bitPattern == value.bitPattern)
  }

  @Test("a writer copies the bytes of values")
  func raw() throws {
    let source = try parse(#"{ "a" : [ 1.50 , "\u0041" ] }"#)
    let a = try #require(source["a"])
    let text = written { writer in
      writer.beginArray()
      writer.raw(a)
      writer.raw(a.raw)
      writer.raw(a)
      writer.endArray()
    }
    #expect(text == #"[[ 1.50 , "\u0041" ],[ 1.50 , "\u0041" ],[ 1.50 , "\u0041" ]]"#)
  }
}
