import SceneModel
import ScenePlatform

/// Reads lines of standard input on its own thread.
final class TerminalInput: Sendable {
  private let scenes: TerminalScenes

  /// The maximum bytes of a line; a longer line is split.
  private static let longest = 1 << 20

  init(_ scenes: TerminalScenes) { self.scenes = scenes }

  func start() { _ = try? Thread("scene.lines") { self.run() } }

  private func run() {
    let input = StandardStream.input
    let isTerminal = input.isTerminal
    let buffer = InputBuffer(byteCount: 4096)
    var rest: [UInt8] = []
    var hasRead = false
    while (try? input.waitReadable()) != nil {
      // In the background, reading the terminal would stop the process.
      guard
        !isTerminal || Terminal.foregroundGroup(of: input.number) == nil
          || Terminal.isInForeground(of: input.number)
      else {
        Self.rest()
        continue
      }
      switch input.read(into: buffer.bytes) {
      case .bytes(let count):
        hasRead = true
        for byte in buffer.bytes[..<count] {
          if byte != UInt8(ascii: "\n") { rest.append(byte) }
          guard byte == UInt8(ascii: "\n") || rest.count == Self.longest else { continue }
          deliver(&rest, isTyped: isTerminal)
        }
      case .wouldBlock: continue
      case .end, .failed:
        if !rest.isEmpty { deliver(&rest, isTyped: isTerminal) }
        // A closed terminal is no terminal any more.
        if isTerminal, !input.isTerminal {
          return scenes.leave(canAskAgain: false, by: .hangup)
        }
        if hasRead || isTerminal { scenes.close(canAskAgain: isTerminal) }
        guard isTerminal else { return }
      }
    }
  }

  private static func rest() {
    let deadline = SystemClock.monotonic() + JobControl.foregroundCheckDelay
    SystemClock.wait(until: deadline)
  }

  /// Passes a line on. A pipe is read only as fast as the scenes take its lines; the next key of a
  /// user may be Ctrl-D.
  private func deliver(_ bytes: inout [UInt8], isTyped: Bool) {
    defer { bytes = [] }
    if !isTyped { scenes.keys.awaitRoom() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    if let line = String(validating: bytes, as: UTF8.self) {
      scenes.deliver(line)
    } else {
      scenes.complain("line discarded: the line is not UTF-8")
    }
  }
}
