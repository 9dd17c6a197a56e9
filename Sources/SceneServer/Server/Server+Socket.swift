import SceneCommandLine
import ScenePlatform

/// The place of the socket. A logout or the user can remove its directory while the broker runs.
extension Server {
  /// Watches the directory of an own socket. A private broker removes its directory itself.
  func watchSocketPlace() {
    guard configuration.command == nil, let directory = listeningSocket.directory else { return }
    socketWatch.follow(directory)
  }

  /// Listens at the path again if the socket or its lock is missing.
  func bindAgain() {
    guard configuration.command == nil, !listeningSocket.isInPlace else {
      return socketWatch.markInPlace()
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
      if error.message != bindFailure {
        let advice = configuration.isConfined ? "; restart this confined broker" : ""
        log.warn("no client can connect: \(error.message)\(advice)")
      }
      bindFailure = error.message
      socketWatch.scheduleRetry()
    }
    acceptPause = nil
    // The call cannot fail: the poller does not have this descriptor.
    try? poller.add(
      listeningSocket.listener.number, token: Source.listener, interest: .readable)
  }
}
