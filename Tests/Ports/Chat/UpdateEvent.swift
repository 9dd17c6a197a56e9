import SceneApp

struct Message: Codable {
  let text: String
}

enum UpdateEvent: SceneEvent, Codable {
  case newMessage(message: Message)
}
