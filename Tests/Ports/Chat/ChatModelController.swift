import SceneApp
import Synchronization

nonisolated final class ChatModelController: Sendable {
  static let shared = ChatModelController()

  private let messages = Mutex<[Message]>([])

  func add(message: Message) {
    messages.withLock { $0.append(message) }
    let event = UpdateEvent.newMessage(message: message)
    event.post()
  }
}
