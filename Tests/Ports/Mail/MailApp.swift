import SceneApp

@main
struct MailApp: App {
  @Environment(\.scenePhase) private var scenePhase

  var body: some SceneContent {
    WindowGroup("Inbox", id: "inbox") {
      InboxDelegate()
    }
    .onChange(of: scenePhase) {
      print("changed")
    }
    WindowGroup("Message", id: "message", for: Message.ID.self) { messageID in
      MessageDelegate(messageID)
    }
    .onChange(of: scenePhase, initial: true) { oldPhase, newPhase in
      print("from", oldPhase, "to", newPhase)
    }
    Window("Activity", id: "activity") {
      ActivityDelegate()
    }
  }
}

nonisolated struct Message: Codable, Identifiable {
  nonisolated struct ID: Codable, Hashable {
    var box: String
    var number: Int
  }

  var id: ID
}

class InboxDelegate: WindowSceneDelegate, TerminalSceneDelegate {
  @Environment(\.openWindow) private var openWindow
  @Environment(\.dismissWindow) private var dismissWindow

  func scene(_ scene: Scene, didReceiveLine line: String) {
    let id = Message.ID(box: "a=b%", number: 7)
    switch line {
    case "open": openWindow(value: id)
    case "open activity": openWindow(id: "activity")
    case "dismiss": dismissWindow(id: "message", value: id)
    case "dismiss activity": dismissWindow(id: "activity")
    default: print("unknown", line)
    }
  }
}

class MessageDelegate: WindowSceneDelegate {
  private let id: Message.ID?

  init(_ id: Message.ID?) { self.id = id }

  func sceneDidBecomeActive(_ scene: Scene) {
    print("message", id?.box ?? "none", id?.number ?? 0, scene.title ?? "")
  }

  func sceneDidDisconnect(_ scene: Scene) {
    print("dismissed", id?.number ?? 0)
  }
}

class ActivityDelegate: WindowSceneDelegate {
  func sceneDidBecomeActive(_ scene: Scene) {
    print("activity", scene.title ?? "")
  }

  func sceneDidDisconnect(_ scene: Scene) {
    print("dismissed the activity")
  }
}
