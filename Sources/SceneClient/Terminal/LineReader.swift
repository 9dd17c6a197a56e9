import CommandLine
import SceneModel
import ScenePlatform

/// Reads lines of standard input on a thread of its own, and hands them to the scene that is key.
final class LineReader: Sendable {
  private let host: SceneHost
  private let client: Client

  /// Of a line that never ends: so much is handed on as one.
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
        // A terminal that is gone is none any more, and nobody types there again.
        if hasRead || isTerminal { close(canAskAgain: input.isTerminal) }
        guard isTerminal else { return }
        // A terminal that is gone ends again and again.
        Self.rest()
      }
    }
  }

  private static func rest() {
    let deadline = SystemClock.monotonic() + JobControl.foregroundCheckDelay
    _ = ConditionMutex(()).wait(until: deadline) { _ -> Void? in nil }
  }

  /// Hands a line on as soon as there is room for it; false if there may never be any, because no
  /// broker could bring a scene for it.
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
      // The line that only brings a window back says nothing to it.
      if !line.isEmpty { wait(line) }
      if let session = host.keys.takeReclaimed() {
        bringBack(session)
      } else if host.keys.noteUntaken() {
        complain("line not delivered: no scene is open; Ctrl-D ends this program")
      }
      return
    }
    // In the scene's queue, where it does not go anywhere meanwhile.
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

  /// One who is about to leave is not told that nothing can be done any more.
  private func complain(_ error: SceneError) {
    if error.code != .applicationStopped { complain(error.message) }
  }

  private func complain(_ message: String) {
    try? StandardStream.error.write(PlainText.escaped(message) + "\n")
  }

  /// As if the user had come back to the window.
  private func bringBack(_ session: String) {
    // Until the scene is there, its lines wait without a complaint.
    _ = host.keys.noteUntaken()
    guard let message = try? SceneRequest(.persistentIdentifier(session)).message else { return }
    client.request(.connect(message)) { [self] result in
      guard case .failure(let error) = result else { return }
      host.keys.giveBack(session)
      complain(error)
    }
  }

  /// As if the user had turned to the window; it takes what waits once it is there.
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

  /// Ends the key scene, behind the lines that were typed; where there is none, or nobody to tell,
  /// the application.
  private func close(canAskAgain: Bool) {
    guard let scene = host.keys.receiver else { return host.leave(canAskAgain: canAskAgain) }
    client.enqueue(scene.identifier) { [self] in
      // Where there is a scene, there was a broker, even if that has not come round yet.
      guard host.connection.value != .waiting else { return host.leave(canAskAgain: canAskAgain) }
      if !host.keys.endBehindWaiting() { scene.close() }
    }
  }
}
