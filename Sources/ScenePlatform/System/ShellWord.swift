extension String {
  /// The text, quoted as one word of a POSIX shell.
  package var shellWord: String {
    if !isEmpty, utf8.allSatisfy(isPlain) { return self }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }
}

extension String {
  /// The path, quoted as one word that no command parses as an option.
  package var shellPath: String { hasPrefix("-") ? "./\(self)".shellWord : shellWord }
}

/// Whether the byte needs no quoting at any position.
private func isPlain(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
    true
  default: "/._-+,:@%".utf8.contains(byte)
  }
}
