extension String {
  /// The text as one word of a command line that can be pasted into a POSIX shell.
  package var shellWord: String {
    if !isEmpty, utf8.allSatisfy(isPlain) { return self }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }
}

extension String {
  /// The path as one word of a command line, which no command takes for an option.
  package var shellPath: String { hasPrefix("-") ? "./\(self)".shellWord : shellWord }
}

/// Whether a shell takes this byte for itself wherever it stands.
private func isPlain(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
    true
  default: "/._-+,:@%".utf8.contains(byte)
  }
}
