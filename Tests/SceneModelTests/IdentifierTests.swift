import SceneJSON
import SceneModel
import Testing

/// The identifiers of requests and sessions.
struct IdentifierTests {
  @Test(
    "a request's identifier is an integer from 0 to 2^53-1, or a string of at most 64 bytes",
    arguments: [
      "0", "9007199254740991", #""""#, #""a""#, "\"\(String(repeating: "x", count: 64))\"",
      "\"\(String(repeating: "é", count: 32))\"", #""\u0000""#,
    ])
  func taken(json: String) throws {
    let identifier = try read(RequestIdentifier.self, from: json)
    #expect(try read(RequestIdentifier.self, from: text(identifier)) == identifier)
  }

  @Test(
    "no other value is a request's identifier",
    arguments: [
      "-1", "9007199254740992", "1.0", "1e3", "-0.0", "null", "true", "[]", "{}",
      "\"\(String(repeating: "x", count: 65))\"", "\"\(String(repeating: "é", count: 33))\"",
      "18446744073709551616",
    ])
  func refused(json: String) throws {
    let problem = try problem(RequestIdentifier.self, json)
    #expect(
      problem?.hasPrefix(
        "expected an integer from 0 to 9007199254740991 or a string of at most 64 bytes, found")
        == true)
  }

  @Test("a number and a string with the same digits are different identifiers")
  func kinds() {
    #expect(RequestIdentifier.number(1) != .string("1"))
  }

  @Test("a session identifier is written in upper case and read in either")
  func sessions() throws {
    let upper = "5B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F"
    #expect(SessionIdentifier(upper) == Samples.session)
    #expect(SessionIdentifier(upper.lowercased()) == Samples.session)
    #expect(Samples.session.description == upper)
    #expect(Samples.session.short == "5b1a0c7e")
    #expect(text(Samples.session) == "\"\(upper)\"")
    #expect(try read(SessionIdentifier.self, from: "\"\(upper.lowercased())\"") == Samples.session)
    #expect(
      try read(SessionIdentifier.self, from: #""\u0035B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F""#)
        == Samples.session)
  }

  @Test(
    "a text that is no UUID is no session identifier",
    arguments: [
      "", "5B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5", "5B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F0",
      "5B1A0C7E3B7C-4C3F-9D5E-0A1B2C3D4E5F0", "5B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5G",
      "5B1A0C7E_3B7C-4C3F-9D5E-0A1B2C3D4E5F", "{B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F}",
      "5B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4Eé", "/B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F",
      ":B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F", "@B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F",
      "`B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F", "gB1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F",
    ])
  func noSession(text: String) {
    #expect(SessionIdentifier(text) == nil)
  }

  @Test("a session identifier has only hexadecimal digits and hyphens at their positions")
  func everyByte() {
    let whole = Array("5B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F".utf8)
    for place in whole.indices {
      for byte in UInt8(0)..<0x80 {
        var bytes = whole
        bytes[place] = byte
        let character = Character(Unicode.Scalar(byte))
        let isTaken =
          whole[place] == UInt8(ascii: "-") ? character == "-" : character.isHexDigit
        let read = SessionIdentifier(String(decoding: bytes, as: UTF8.self))
        #expect((read != nil) == isTaken, "\(byte) at \(place)")
        if let read {
          #expect(read.description == String(decoding: bytes, as: UTF8.self).uppercased())
        }
      }
    }
  }

  @Test("identifiers are in the order of their texts")
  func order() {
    let identifiers = (0..<200).map { number -> SessionIdentifier in
      let mixed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
      return SessionIdentifier(high: mixed % 5, low: mixed &* mixed)
    }
    #expect(
      identifiers.sorted().map(\.description) == identifiers.map(\.description).sorted())
  }

  @Test(
    "a random identifier is a UUID of version 4",
    arguments: [(UInt64.min, UInt64.min), (.max, .max)])
  func random(high: UInt64, low: UInt64) {
    let digits = Array(SessionIdentifier(random: high, low).description)
    #expect(digits[14] == "4")
    #expect(["8", "9", "A", "B"].contains(digits[19]))
    #expect(digits.filter { $0 == "0" || $0 == "F" }.count == 30)
  }
}
