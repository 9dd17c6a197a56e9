import SceneCommandLine
import ScenePlatform

/// The place of the socket. A logout or the user can remove its directory while the broker runs.
extension Server {
  /// Nanoseconds until the broker listens again, so that a removal of the directory can end.
  private static let bindDelay: Int64 = 1_000_000_000
  /// Nanoseconds until the next attempt, and between two checks without a watch.
  private static let bindInterval: Int64 = 60_000_000_000

  /// Watches the directory of an own socket. A private broker removes its directory itself.
  func watchSocketPlace() {
    guard configuration.command == nil, let directory = listeningSocket.directory else { return }
    if let before = socketWatch { try? poller.remove(before.number) }
    socketWatch = try? DirectoryWatch(removalsIn: directory)
    if let number = socketWatch?.number,
      (try? poller.add(number, token: Source.socketPlace, interest: .readable)) == nil
    {
      socketWatch = nil
    }
    nextBind = socketWatch == nil ? SystemClock.monotonic() + Self.bindInterval : nil
  }

  func takeSocketWatch() {
    socketWatch?.drain()
    if nextBind == nil, !listeningSocket.isInPlace {
      nextBind = SystemClock.monotonic() + Self.bindDelay
    }
  }

  func bindIfDue() {
    if let nextBind, SystemClock.monotonic() >= nextBind { bindAgain() }
  }

  /// Listens at the path again if the socket or its lock is missing.
  func bindAgain() {
    guard configuration.command == nil, !listeningSocket.isInPlace else {
      nextBind = socketWatch == nil ? SystemClock.monotonic() + Self.bindInterval : nil
      return
    }
    // Clients of the removed socket.
    try? accept()
    try? poller.remove(listeningSocket.listener.number)
    do throws(ProgramError) {
      try listeningSocket.bindAgain()
      log.note("the socket \(socketPath) was removed: listening there again")
      bindFailure = nil
      watchSocketPlace()
    } catch {
      if error.message != bindFailure { log.warn("no client can connect: \(error.message)") }
      bindFailure = error.message
      nextBind = SystemClock.monotonic() + Self.bindInterval
    }
    acceptPause = nil
    // The call cannot fail: the poller does not have this descriptor.
    try? poller.add(
      listeningSocket.listener.number, token: Source.listener, interest: .readable)
  }
}
