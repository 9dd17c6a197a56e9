import SceneCommandLine
import SceneModel
import ScenePlatform

/// Reads lines of standard input on its own thread, and passes them to the key scene.
final class TerminalInput: Sendable {
  private let host: SceneHost
  private let client: Client

  /// The maximum bytes of a line; a longer line is split.
  private static let longest = 1 << 20

  init(_ host: SceneHost, _ client: Client) {
    self.host = host
    self.client = client
  }

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
          guard deliver(&rest, isTyped: isTerminal) else { return host.leave(canAskAgain: false) }
        }
      case .wouldBlock: continue
      case .end, .failed:
        guard rest.isEmpty || deliver(&rest, isTyped: isTerminal) else {
          return host.leave(canAskAgain: false)
        }
        // A closed terminal is no terminal any more.
        if hasRead || isTerminal { close(canAskAgain: input.isTerminal) }
        guard isTerminal else { return }
        // A closed terminal reports its end again and again.
        Self.rest()
      }
    }
  }

  private static func rest() {
    let deadline = SystemClock.monotonic() + JobControl.foregroundCheckDelay
    _ = ConditionMutex(()).wait(until: deadline) { _ -> Void? in nil }
  }

  /// Passes a line on when there is space for it. Returns false if the queue is full and no broker
  /// is connected.
  private func deliver(_ bytes: inout [UInt8], isTyped: Bool) -> Bool {
    defer { bytes = [] }
    let checkDelay = JobControl.foregroundCheckDelay
    while !host.keys.awaitRoom(isTyped: isTyped, until: SystemClock.monotonic() + checkDelay) {
      if !isTyped, host.keys.isFull, host.connection.value == .waiting { return false }
    }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    if let line = String(validating: bytes, as: UTF8.self) {
      deliver(line)
    } else {
      complain("line discarded: the line is not UTF-8")
    }
    return true
  }

  private func deliver(_ line: String) {
    guard let scene = host.keys.receiver else {
      // An empty line only reactivates the window.
      if !line.isEmpty { wait(line) }
      if let session = host.keys.takeReclaimed() {
        bringBack(session)
      } else if host.keys.noteUntaken() {
        complain("line not delivered: no scene is open; Ctrl-D ends this program")
      }
      return
    }
    // In the scene's queue the state of the scene does not change meanwhile.
    host.keys.queue()
    client.enqueue(scene.identifier) { [self] in
      defer { host.keys.dequeue() }
      switch host.type(line, to: scene) {
      case .received: break
      case .isInBackground:
        wait(line)
        bringForward(scene)
      case .isOver: deliver(line)
      }
    }
  }

  private func wait(_ line: String) {
    if !host.keys.wait(line) { complain("input queue full; line discarded") }
  }

  /// After the end of the application, an error is no news for the user.
  private func complain(_ error: SceneError) {
    if error.code != .applicationStopped { complain(error.message) }
  }

  private func complain(_ message: String) {
    try? StandardStream.error.write(PlainText.escaped(message) + "\n")
  }

  /// Reactivates a reclaimed session, as if the user had returned to the window.
  private func bringBack(_ session: String) {
    // Until the scene connects, lines wait without a message.
    _ = host.keys.noteUntaken()
    guard let message = try? SceneRequest(.persistentIdentifier(session)).message else { return }
    client.request(.connect(message)) { [self] result in
      guard case .failure(let error) = result else { return }
      host.keys.giveBack(session)
      complain(error)
    }
  }

  /// Moves a scene to the foreground, where it takes the waiting lines.
  private func bringForward(_ scene: Scene) {
    guard host.keys.await() else { return }
    let message = SceneTransition(session: scene.identifier, to: .foregroundActive)
    client.request(.transition(message)) { [self] result in
      host.keys.noteAnswer()
      guard case .failure(let error) = result else { return }
      complain(error)
      if host.keys.ceaseAwaiting() { scene.close() }
    }
  }

  /// Ends the key scene after its lines. Without a scene or a broker, ends the application.
  private func close(canAskAgain: Bool) {
    guard let scene = host.keys.receiver else { return host.leave(canAskAgain: canAskAgain) }
    client.enqueue(scene.identifier) { [self] in
      // A scene implies a broker, even before its connection was reported.
      guard host.connection.value != .waiting else { return host.leave(canAskAgain: canAskAgain) }
      if !host.keys.endBehindWaiting() { scene.close() }
    }
  }
}
