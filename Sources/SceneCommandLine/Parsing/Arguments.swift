/// The arguments of a command line, as bytes: they may be invalid UTF-8.
package enum Arguments {
  /// The words as text.
  package static func text(
    of arguments: [ContiguousArray<UInt8>], for program: String
  ) throws(UsageError) -> [String] {
    var words: [String] = []
    for (index, bytes) in arguments.enumerated() {
      guard let word = String(validating: bytes, as: UTF8.self) else {
        let shown = String(showing: bytes.prefix(100))
        throw UsageError(
          command: program,
          message: "argument \(index + 1) (\"\(shown)\") is not text: \(IllFormedText(in: bytes))")
      }
      words.append(word)
    }
    return words
  }
}

/// The first byte of a text that is not UTF-8.
package struct IllFormedText: Equatable, Sendable, CustomStringConvertible {
  package var byte: UInt8
  package var offset: Int

  package init(byte: UInt8, offset: Int) {
    self.byte = byte
    self.offset = offset
  }

  /// `bytes` are not UTF-8.
  package init(in bytes: some Collection<UInt8>) {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    offset = 0
    while case .valid(let scalar) = parser.parseScalar(from: &rest) { offset += scalar.count }
    byte = bytes[bytes.index(bytes.startIndex, offsetBy: offset)]
  }

  package var description: String {
    "the byte 0x\(hexadecimal(byte)) at offset \(offset) is not UTF-8"
  }
}

extension String {
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
