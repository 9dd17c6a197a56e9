package import SceneModel
import ScenePlatform
import Synchronization

/// Receives what the broker asks and tells the application delegate.
package protocol DelegateHandler: AnyObject {
  /// Runs on the thread of `run`, one question at a time. Nil to answer later, by the number.
  func handle(_ number: Int64, _ callback: DelegateCallback) -> DelegateAnswer?
  /// Runs in the same order.
  func didReceive(_ notification: BrokerNotification)
  /// The broker has answered a ping, and has sent everything else before.
  func didReceivePong()
  /// The connection: `connected`, or `waiting` after a loss.
  func didReceive(_ phase: LinkPhase)
}

/// The application delegate's answer to a question.
package enum DelegateAnswer: Equatable, Sendable {
  case done
  case launched(accepted: Bool)
  case configuration(ConfigurationForConnecting.Answer)
  /// Text of a command or a user, which the broker checks.
  case carried(OpaqueObject)
  case failed(message: String)
}

/// The client of an application delegate. After a loss of the broker it connects again, and the
/// broker repeats the launch.
package final class DelegateClient: Sendable {
  private let settings: ClientSettings
  private let isStopped = Mutex(false)
  private let current = Mutex<Run?>(nil)

  /// One call of `run`.
  private struct Run: Sendable {
    let client: Client
    let inbox: DelegateInbox
  }

  package init(_ settings: ClientSettings) {
    var settings = settings
    settings.kind = .applicationDelegate
    self.settings = settings
  }

  /// Closes the connection; `run` then returns.
  package func stop() {
    isStopped.withLock { $0 = true }
    current.withLock { $0 }?.client.stop()
  }

  private var mustStop: Bool { isStopped.withLock { $0 } }

  /// Answers a question for which `handle` returned nil. The answer is dropped if the connection of
  /// the question was lost.
  package func answer(_ number: Int64, _ answer: DelegateAnswer) {
    current.withLock { $0 }?.client.answer(number, answer)
  }

  /// Sends a ping; false without a connection.
  package func ping() -> Bool {
    guard let run = current.withLock({ $0 }), run.client.isConnected else { return false }
    run.client.request(.ping(Ping())) { _ in
      // Behind everything that has arrived.
      run.client.enqueue(nil) { run.inbox.addPong() }
    }
    return true
  }

  /// Calls the handler until the application ends or `stop` is called.
  ///
  /// - Throws: ``SceneError/Code/brokerUnavailable`` if no broker answers at the start and the
  ///   settings do not wait for one; the broker's reason if it rejects this delegate.
  package func run(_ handler: any DelegateHandler) throws(SceneError) {
    let inbox = DelegateInbox()
    defer { current.withLock { $0 = nil } }
    let client = try open(inbox)
    var wasConnected = false
    while !mustStop {
      switch inbox.next() {
      case .delegate(.question(let number, let callback)):
        if let answer = handler.handle(number, callback) { client.answer(number, answer) }
      case .delegate(.notification(let notification)): handler.didReceive(notification)
      case .pong: handler.didReceivePong()
      case .connected:
        wasConnected = true
        handler.didReceive(.connected)
      case .waiting: if wasConnected { handler.didReceive(.waiting) }
      case .stopped:
        if let error = client.waitUntilStopped() { throw error }
        return
      }
    }
    _ = client.waitUntilStopped()
  }

  private func open(_ inbox: DelegateInbox) throws(SceneError) -> Client {
    do throws(SystemError) {
      let client = try Client(settings, handler: inbox)
      current.withLock { $0 = Run(client: client, inbox: inbox) }
      // A call of `stop` until here did not reach this client.
      if mustStop { client.stop() }
      try client.start()
      return client
    } catch {
      throw SceneError(error)
    }
  }
}
