/// The last output of a program on the normal screen, and the modes that the program has set.
struct OutputHistory {
  private(set) var modes = TerminalModes()
  private var text: ContiguousArray<UInt8> = []
  /// Whether bytes before `text` are lost.
  private var isCut = false
  private var state = State.text
  /// The begin of an escape sequence that is not complete.
  private var sequence: [UInt8] = []
  /// Where the echo of a stop key begins in `text` if it is still to come.
  private var stopKeyStart: Int?

  private enum State {
    case text
    /// Behind ESC, and the bytes before the last one of its sequence.
    case escape
    /// Behind ESC [.
    case control
    /// Behind ESC and a letter whose string ends with BEL or ESC \. A long string is not a query.
    case string(isLong: Bool)
    /// Behind ESC in a string.
    case stringEnd(isLong: Bool)
  }

  /// The number of bytes for a new window.
  static let limit = 64 << 10
  private static let longestLine = 16 << 10
  private static let longestSequence = 256

  /// The bytes that show the end of the output in a new window, from the start of a line. On the
  /// alternate screen, they are only the modes. The next output follows them.
  var replay: [UInt8] {
    var start = max(0, text.count - Self.limit)
    // After a longer line, a window begins inside it.
    let beginning = text[start...].prefix(Self.longestLine)
    if start > 0 || isCut, let line = beginning.firstIndex(of: UInt8(ascii: "\n")) {
      start = line + 1
    }
    return modes.sequences + (modes.isAlternate ? [] : text[start...]) + sequence
  }

  /// Notes output. Sequences can be split between the calls.
  mutating func take(_ bytes: some RandomAccessCollection<UInt8>) {
    var rest = bytes[...]
    while let byte = rest.first {
      if case .text = state {
        let end = rest.firstIndex(of: 0x1B) ?? rest.endIndex
        keep(rest[..<end])
        if end != rest.endIndex { begin() }
        rest = rest[end...].dropFirst()
      } else {
        take(byte)
        rest = rest.dropFirst()
      }
    }
  }

  /// Removes the echo of a key that has stopped the program and has no effect: the program runs on.
  /// The kernel stops the program before it writes the echo, so that the next output can have it.
  mutating func removeStopKey() {
    stopKeyStart = text.suffix(2).elementsEqual("^Z".utf8) ? text.count - 2 : text.count
    removeArrivedStopKey()
  }

  private mutating func removeArrivedStopKey() {
    guard let start = stopKeyStart, text.count >= start + 2 else { return }
    stopKeyStart = nil
    if text[start..<start + 2].elementsEqual("^Z".utf8) { text.removeSubrange(start..<start + 2) }
  }

  private mutating func begin() { (state, sequence) = (.escape, [0x1B]) }

  private mutating func take(_ byte: UInt8) {
    switch (state, byte) {
    case (.stringEnd(let isLong), UInt8(ascii: "\\")):
      state = .string(isLong: isLong)
      finish(byte)
    case (.string(let isLong), 0x1B):
      sequence.append(byte)
      state = .stringEnd(isLong: isLong)
    case (.stringEnd, _):
      // The string has ended without its end.
      sequence.removeLast()
      keep(sequence)
      begin()
      take(byte)
    case (_, 0x18), (_, 0x1A), (.string, 0x07): finish(byte)
    case (_, 0x1B):
      keep(sequence)
      begin()
    case (.escape, UInt8(ascii: "[")) where sequence.count == 1: append(byte, then: .control)
    case (.escape, _) where sequence.count == 1 && "]PX^_".utf8.contains(byte):
      append(byte, then: .string(isLong: false))
    case (.escape, 0x30...), (.control, 0x40...): finish(byte)
    default: append(byte, then: state)
    }
  }

  private mutating func append(_ byte: UInt8, then next: State) {
    sequence.append(byte)
    state = next
    guard sequence.count >= Self.longestSequence else { return }
    keep(sequence)
    sequence = []
    if case .string = next { state = .string(isLong: true) } else { state = .text }
  }

  private mutating func finish(_ byte: UInt8) {
    sequence.append(byte)
    var isLong = false
    if case .string(let long) = state { isLong = long }
    let wasAlternate = modes.isAlternate
    if !isLong { modes.apply(sequence) }
    if !wasAlternate, isLong || !sequence.asksTerminal { keep(sequence) }
    (state, sequence) = (.text, [])
  }

  /// Output on the alternate screen is not kept: the program draws that screen again.
  private mutating func keep(_ bytes: some Collection<UInt8>) {
    guard !modes.isAlternate else { return }
    text += bytes
    removeArrivedStopKey()
    if text.count > 2 * Self.limit {
      text.removeFirst(text.count - Self.limit)
      isCut = true
      stopKeyStart = nil
    }
  }
}
