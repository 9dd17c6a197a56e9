import SceneModel
import ScenePlatform

/// Hands the messages of the client's threads to the thread of `DelegateClient.run`, in order.
final class DelegateInbox: ClientHandler {
  enum Message: Sendable {
    case delegate(DelegateMessage)
    case pong
    case connected
    case waiting
    case stopped
  }

  private let messages = ConditionMutex<[Message]>([])

  /// Waits for the next message.
  func next() -> Message {
    messages.wait { $0.isEmpty ? nil : $0.removeFirst() } ?? .stopped
  }

  private func add(_ message: Message) { messages.withLock { $0.append(message) } }

  func addPong() { add(.pong) }

  func didReceive(_ update: ClientUpdate) {
    switch update {
    case .delegate(let message): add(.delegate(message))
    case .connection(.connected): add(.connected)
    case .connection(.waiting): add(.waiting)
    case .connection(.stopped): add(.stopped)
    case .connection(.connecting), .phase, .notice, .rejected, .resumed, .discarded,
      .notReturned:
      break
    }
  }

  // An application delegate has no scenes and observes no topics.

  func handle(_ callback: Callback, answer: @escaping @Sendable (CallAnswer?) -> Void) {
    answer(nil)
  }

  func didReceive(_ notice: SceneApplication.Notice, in session: SessionIdentifier) {}

  func couldNotSave(_ activity: Activity?, of session: SessionIdentifier, _ error: SceneError) {}

  func didReceive(_ update: ObservationUpdate, of source: EventSource) {}
}
