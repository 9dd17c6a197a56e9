import SceneCommandLine

/// The direction of a frame, for debug output.
package enum FrameDirection: Sendable {
  case sent, received

  /// A frame as a line of debug output.
  package func line(of content: ContiguousArray<UInt8>) -> String {
    let arrow = self == .sent ? "→" : "←"
    // In JSON strings the escapes have the same meaning.
    return "\(arrow) \(PlainText.escaped(String(decoding: content, as: UTF8.self)))"
  }

  /// The problem of the value of `SCENE_DEBUG`; nil for a valid value.
  package static func complaint(about setting: String?) -> String? {
    let unknown = setting?.split(separator: ",").first { $0 != "wire" }
    return unknown.map {
      "SCENE_DEBUG: \"\($0.prefix(100))\" is unknown; set wire to print every frame"
    }
  }

  /// Whether `SCENE_DEBUG` asks for frames.
  package static func areShown(by setting: String?) -> Bool {
    setting?.split(separator: ",").contains("wire") == true
  }
}
