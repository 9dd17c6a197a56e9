package import SceneModel
import ScenePlatform
import Synchronization

/// Receives what the broker asks and tells the application delegate.
package protocol DelegateHandler: AnyObject, Sendable {
  /// Runs one question at a time. Nil to answer later, by the number.
  func handle(_ number: Int64, _ callback: Callback) -> CallAnswer?
  /// Runs in the same order.
  func didReceive(_ notification: BrokerNotification)
  /// The broker has answered a ping, and has sent everything else before.
  func didReceivePong()
  /// The connection: `connected`, or `waiting` after a loss.
  func didReceive(_ state: SceneApplication.ConnectionState)
}

/// The client of an application delegate. After a loss of the broker it connects again, and the
/// broker repeats the launch.
package final class DelegateClient: ClientHandler {
  private let settings: ClientSettings
  private let current = Mutex<Run?>(nil)

  /// One call of `run`.
  private struct Run: Sendable {
    let client: Client
    let handler: any DelegateHandler
    var wasConnected = false
  }

  package init(_ settings: ClientSettings) {
    var settings = settings
    settings.kind = .applicationDelegate
    self.settings = settings
  }

  /// Answers a question for which `handle` returned nil. The answer is dropped if the connection of
  /// the question was lost.
  package func answer(_ number: Int64, _ answer: CallAnswer) {
    current.withLock { $0?.client }?.answer(number, answer)
  }

  /// Sends a ping; false without a connection.
  package func ping() -> Bool {
    guard let run = current.withLock({ $0 }), run.client.isConnected else { return false }
    run.client.request(Ping()) { _ in
      // Behind everything that has arrived.
      run.client.enqueue(nil) { run.handler.didReceivePong() }
    }
    return true
  }

  /// Calls the handler until the application ends. The calling thread waits.
  ///
  /// - Throws: ``SceneError/Code/brokerUnavailable`` if no broker answers at the start and the
  ///   settings do not wait for one; the broker's reason if it rejects this delegate.
  package func run(_ handler: any DelegateHandler) throws(SceneError) {
    let made = Result { () throws(SystemError) in try Client(settings, handler: self) }
    let client = try made.mapError { SceneError($0) }.get()
    current.withLock { $0 = Run(client: client, handler: handler) }
    defer { current.withLock { $0 = nil } }
    try client.startOnce()
    if let error = client.waitUntilStopped() { throw error }
  }

  package func didReceive(_ update: ClientUpdate) {
    guard let run = current.withLock({ $0 }) else { return }
    switch update {
    case .connection(.connected):
      current.withLock { $0?.wasConnected = true }
      run.handler.didReceive(.connected)
    case .connection(.waiting): if run.wasConnected { run.handler.didReceive(.waiting) }
    case .connection, .phase, .notice, .rejected, .resumed, .discarded, .notReturned,
      .activated:
      break
    }
  }

  package func handle(_ message: DelegateMessage, finish: @escaping @Sendable () -> Void) {
    defer { finish() }
    guard let run = current.withLock({ $0 }) else { return }
    switch message {
    case .question(let number, let callback):
      if let answer = run.handler.handle(number, callback) { run.client.answer(number, answer) }
    case .notification(let notification): run.handler.didReceive(notification)
    }
  }
}
