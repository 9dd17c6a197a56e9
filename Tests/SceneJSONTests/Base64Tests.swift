import SceneJSON
import Testing

@Suite("base64")
struct Base64Tests {
  @Test("the encoding returns the bytes, and refuses other text")
  func base64() {
    for count in 0...6 {
      let bytes = ContiguousArray((0..<count).map { UInt8(truncatingIfNeeded: 250 + $0 * 77) })
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
    #expect(Base64.encode("any carnal pleas".utf8).elementsEqual("YW55IGNhcm5hbCBwbGVhcw==".utf8))
    for text in ["a", "ab", "abc", "ab==c", "a===", "====", "ab=c", "a!cd"] {
      #expect(Base64.decode(ContiguousArray(text.utf8)) == nil, "\(text)")
    }
  }
}
