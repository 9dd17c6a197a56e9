/// The encoding of bytes as a JSON string.
package enum Base64 {
  private static let alphabet = ContiguousArray(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  /// The number of each letter; 255 for a byte that is no letter.
  private static let numbers: ContiguousArray<UInt8> = {
    var numbers = ContiguousArray<UInt8>(repeating: 255, count: 256)
    for (number, letter) in alphabet.enumerated() { numbers[Int(letter)] = UInt8(number) }
    return numbers
  }()

  package static func encode(_ bytes: some Collection<UInt8>) -> ContiguousArray<UInt8> {
    var text = ContiguousArray<UInt8>()
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var (word, count) = (UInt32(0), 0)
    func letter(_ shift: UInt32) -> UInt8 { alphabet[Int(word >> shift & 63)] }
    for byte in bytes {
      word = word << 8 | UInt32(byte)
      count += 1
      guard count == 3 else { continue }
      text.append(contentsOf: [letter(18), letter(12), letter(6), letter(0)])
      (word, count) = (0, 0)
    }
    let padding = UInt8(ascii: "=")
    if count == 1 {
      word <<= 16
      text.append(contentsOf: [letter(18), letter(12), padding, padding])
    } else if count == 2 {
      word <<= 8
      text.append(contentsOf: [letter(18), letter(12), letter(6), padding])
    }
    return text
  }

  /// The bytes; nil if the text is not in this encoding.
  package static func decode(_ text: some BidirectionalCollection<UInt8>) -> ContiguousArray<UInt8>?
  {
    let letters = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard text.count % 4 == 0 else { return nil }
    var bytes = ContiguousArray<UInt8>()
    bytes.reserveCapacity(text.count / 4 * 3)
    var (word, count) = (UInt32(0), 0)
    for letter in text.dropLast(letters) {
      let number = numbers[Int(letter)]
      guard number != 255 else { return nil }
      word = word << 6 | UInt32(number)
      count += 1
      guard count == 4 else { continue }
      bytes.append(contentsOf: [
        UInt8(truncatingIfNeeded: word >> 16), UInt8(truncatingIfNeeded: word >> 8),
        UInt8(truncatingIfNeeded: word),
      ])
      (word, count) = (0, 0)
    }
    if letters == 2 { bytes.append(UInt8(truncatingIfNeeded: word >> 4)) }
    if letters == 1 {
      bytes.append(UInt8(truncatingIfNeeded: word >> 10))
      bytes.append(UInt8(truncatingIfNeeded: word >> 2))
    }
    return bytes
  }
}
