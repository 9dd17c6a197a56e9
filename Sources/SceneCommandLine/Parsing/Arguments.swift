/// The arguments of a command line, as bytes: they may be invalid UTF-8.
package enum Arguments {
  /// The words as text.
  package static func text(
    of arguments: [ContiguousArray<UInt8>], for program: String
  ) throws(UsageError) -> [String] {
    var words: [String] = []
    for (index, bytes) in arguments.enumerated() {
      do throws(IllFormedText) {
        words.append(try String(wellFormed: bytes))
      } catch {
        throw UsageError(
          command: program, reason: .notText(place: index + 1, bytes: bytes, error))
      }
    }
    return words
  }
}

/// Bytes that are not UTF-8.
package struct IllFormedText: Error, Equatable, Sendable, CustomStringConvertible {
  package var byte: UInt8
  package var offset: Int

  package init(byte: UInt8, offset: Int) {
    self.byte = byte
    self.offset = offset
  }

  package var description: String {
    "the byte 0x\(hexadecimal(byte)) at offset \(offset) is not UTF-8"
  }
}

extension String {
  /// Decodes UTF-8. Throws instead of repairing.
  package init(wellFormed bytes: some Collection<UInt8>) throws(IllFormedText) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self = text
      return
    }
    let offset = Self.lengthOfText(bytes)
    throw IllFormedText(
      byte: bytes[bytes.index(bytes.startIndex, offsetBy: offset)], offset: offset)
  }

  /// The number of bytes before the first invalid one.
  private static func lengthOfText(_ bytes: some Collection<UInt8>) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var length = 0
    while case .valid(let scalar) = parser.parseScalar(from: &rest) { length += scalar.count }
    return length
  }

  /// Decodes UTF-8, and shows each invalid byte as `\xff`.
  init(showing bytes: some Collection<UInt8>) {
    self = ""
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var place = bytes.startIndex
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let scalar):
        unicodeScalars.append(Unicode.UTF8.decode(scalar))
        place = bytes.index(place, offsetBy: scalar.count)
      case .error(let length):
        for _ in 0..<length {
          self += "\\x" + hexadecimal(bytes[place])
          place = bytes.index(after: place)
        }
      case .emptyInput:
        return
      }
    }
  }
}

private func hexadecimal(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16)
}
