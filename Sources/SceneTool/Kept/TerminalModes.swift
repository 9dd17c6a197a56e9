/// The modes that a program has set by its output. A new window needs them before it can show the
/// program. There is no terminal emulator.
struct TerminalModes: Equatable {
  /// The private modes that differ from their value in a new window.
  private(set) var changed: Set<Int> = []
  private var hasApplicationKeypad = false
  /// The level of xterm for keys with modifiers.
  private var keyLevel = 0
  /// The stack of flags for the keyboard protocol of kitty.
  private var keyFlags: [Int] = []

  /// The alternate screen, which the program draws again itself.
  private static let alternateScreens: Set<Int> = [47, 1047, 1049]
  /// Set in a new window: wrapping of lines, and the cursor.
  private static let initial: Set<Int> = [7, 25]
  /// Cursor keys, mouse, focus, and pasted text.
  private static let others: Set<Int> = [
    1, 9, 1000, 1002, 1003, 1004, 1005, 1006, 1007, 1015, 1016, 2004,
  ]
  private static let known = alternateScreens.union(initial).union(others)
  private static let longestStack = 16

  var isAlternate: Bool { !changed.isDisjoint(with: Self.alternateScreens) }

  /// The sequences that set these modes in a new window.
  var sequences: [UInt8] {
    // First the screen: some terminals have other modes for each screen.
    let order = changed.sorted { a, b in
      (Self.alternateScreens.contains(a) ? 0 : 1, a)
        < (Self.alternateScreens.contains(b) ? 0 : 1, b)
    }
    var text = order.map { "\u{1B}[?\($0)\(Self.initial.contains($0) ? "l" : "h")" }.joined()
    if hasApplicationKeypad { text += "\u{1B}=" }
    if keyLevel > 0 { text += "\u{1B}[>4;\(keyLevel)m" }
    for flags in keyFlags { text += "\u{1B}[>\(flags)u" }
    return Array(text.utf8)
  }

  /// Notes a complete escape sequence.
  mutating func apply(_ sequence: [UInt8]) {
    guard sequence.count > 1, let last = sequence.last else { return }
    guard sequence[1] == UInt8(ascii: "[") else {
      switch (sequence.count, last) {
      case (2, UInt8(ascii: "c")): self = TerminalModes()
      case (2, UInt8(ascii: "=")): hasApplicationKeypad = true
      case (2, UInt8(ascii: ">")): hasApplicationKeypad = false
      default: break
      }
      return
    }
    let control = ControlSequence(sequence)
    switch (control.prefix, control.intermediates, last) {
    case ("?", "", UInt8(ascii: "h")): set(control.numbers, true)
    case ("?", "", UInt8(ascii: "l")): set(control.numbers, false)
    case ("", "!", UInt8(ascii: "p")):
      changed.subtract(Self.initial.union([1]))
      hasApplicationKeypad = false
    case (">", "", UInt8(ascii: "m")) where control.numbers.first ?? 4 == 4:
      keyLevel = control.numbers.dropFirst().first ?? 0
    case (">", "", UInt8(ascii: "u")):
      keyFlags.append(control.numbers.first ?? 0)
      if keyFlags.count > Self.longestStack { keyFlags.removeFirst() }
    case ("<", "", UInt8(ascii: "u")):
      keyFlags.removeLast(min(keyFlags.count, max(1, control.numbers.first ?? 1)))
    case ("=", "", UInt8(ascii: "u")):
      set(keyFlags: control.numbers.first ?? 0, by: control.numbers.dropFirst().first ?? 1)
    default: break
    }
  }

  private mutating func set(_ numbers: [Int], _ isOn: Bool) {
    for number in numbers where Self.known.contains(number) {
      if isOn == Self.initial.contains(number) {
        changed.remove(number)
      } else {
        changed.insert(number)
      }
    }
    // Each of the numbers leaves the alternate screen.
    if !isOn, !Self.alternateScreens.isDisjoint(with: numbers) {
      changed.subtract(Self.alternateScreens)
    }
  }

  /// By 1, the flags are replaced; by 2, added; by 3, removed.
  private mutating func set(keyFlags flags: Int, by way: Int) {
    let before = keyFlags.popLast() ?? 0
    let after = way == 2 ? before | flags : way == 3 ? before & ~flags : flags
    if after != 0 || !keyFlags.isEmpty { keyFlags.append(after) }
  }
}

/// The parts of a sequence that begins with ESC [.
private struct ControlSequence {
  var prefix = ""
  var intermediates = ""
  var numbers: [Int] = []

  init(_ sequence: [UInt8]) {
    var digits = ""
    for byte in sequence.dropFirst(2).dropLast() {
      switch byte {
      case UInt8(ascii: "<")...UInt8(ascii: "?"): prefix.unicodeScalars.append(Unicode.Scalar(byte))
      case 0x20..<0x30: intermediates.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: ";"):
        numbers.append(Int(digits) ?? 0)
        digits = ""
      default: digits.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    if !digits.isEmpty || !numbers.isEmpty { numbers.append(Int(digits) ?? 0) }
  }
}

extension [UInt8] {
  /// Whether the terminal answers this sequence with keys. A program that does not expect the
  /// answer would take it as typed.
  var asksTerminal: Bool {
    guard count > 1, let last else { return false }
    switch self[1] {
    case UInt8(ascii: "Z"): return true
    case UInt8(ascii: "]"): return dropLast(last == 0x07 ? 1 : 2).last == UInt8(ascii: "?")
    case UInt8(ascii: "P"): return contains(UInt8(ascii: "q"))
    case UInt8(ascii: "["):
      let isPrivate = count > 2 && (UInt8(ascii: "<")...UInt8(ascii: "?")).contains(self[2])
      switch last {
      case UInt8(ascii: "c"), UInt8(ascii: "n"), UInt8(ascii: "x"): return true
      case UInt8(ascii: "p"), UInt8(ascii: "w"): return contains(UInt8(ascii: "$"))
      case UInt8(ascii: "q"): return isPrivate
      case UInt8(ascii: "m"), UInt8(ascii: "S"): return self[2] == UInt8(ascii: "?")
      case UInt8(ascii: "u"): return self[2] == UInt8(ascii: "?") || contains(UInt8(ascii: "$"))
      case UInt8(ascii: "y"): return contains(UInt8(ascii: "*"))
      case UInt8(ascii: "t"): return !isPrivate
      default: return false
      }
    default: return false
    }
  }
}
