import SceneJSON
import Testing

struct NumberTests {
  @Test(
    "an integer literal that fits 64 bits has a value",
    arguments: [
      ("0", 0), ("-0", 0), ("1", 1), ("-1", -1), ("42", 42), ("1234567890", 1_234_567_890),
      ("9007199254740991", 9_007_199_254_740_991), ("9007199254740993", 9_007_199_254_740_993),
      ("9223372036854775807", .max), ("-9223372036854775807", -.max),
      ("-9223372036854775808", .min), ("999999999999999999", 999_999_999_999_999_999),
    ] as [(String, Int64)])
  func integers(text: String, expected: Int64) throws {
    #expect(try parse(text).integer == expected)
    #expect(try parse(text).kind == .number)
  }

  @Test(
    "other numbers have no integer value",
    arguments: [
      "9223372036854775808", "-9223372036854775809", "18446744073709551615",
      "18446744073709551616", "99999999999999999999", "-99999999999999999999",
      "100000000000000000000000000", "1.0", "1e3", "1E0", "-0.0", "0e0", "\"1\"", "true", "null",
      "[1]", "{}",
    ])
  func notIntegers(text: String) throws {
    #expect(try parse(text).integer == nil)
  }

  @Test(
    "a number is read as the nearest double",
    arguments: [
      ("0", 0), ("1", 1), ("-1.5", -1.5), ("0.1", 0.1), ("1e22", 1e22), ("1e23", 1e23),
      ("123456789.125", 123_456_789.125), ("9007199254740993", 9_007_199_254_740_992),
      ("1.7976931348623157e308", .greatestFiniteMagnitude), ("5e-324", .leastNonzeroMagnitude),
      ("2.2250738585072014e-308", .leastNormalMagnitude), ("1e-400", 0),
      ("18446744073709551616", 18_446_744_073_709_551_616), ("1E+2", 100),
    ] as [(String, Double)])
  func doubles(text: String, expected: Double) throws {
    #expect(try parse(text).double == expected)
  }

  @Test("a double keeps negative zero")
  func negativeZero() throws {
    #expect(try parse("-0").double?.sign == .minus)
    #expect(try parse("-0.0").double?.sign == .minus)
  }

  @Test(
    "a number that is not finite has no double", arguments: ["1E400", "-1e309", "\"1\"", "null"])
  func notDoubles(text: String) throws {
    #expect(try parse(text).double == nil)
  }

  @Test(
    "every number is kept as its text",
    arguments: [
      "9007199254740993", "3.14159265358979323846264338327950288", "1E400", "-0", "1.10", "1e+05",
      "123456789012345678901234567890",
    ])
  func keepsText(text: String) throws {
    #expect(try parse("[ \(text) ]").elements.map(\.raw.description) == [text])
  }
}
