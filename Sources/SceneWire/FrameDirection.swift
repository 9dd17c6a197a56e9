import CommandLine

/// Which way a frame went, for those who are shown frames.
package enum FrameDirection: Sendable {
  case sent, received

  /// A frame as a line for debugging.
  package func line(of content: ContiguousArray<UInt8>) -> String {
    let arrow = self == .sent ? "→" : "←"
    // Within strings of JSON the escapes mean the same.
    return "\(arrow) \(PlainText.escaped(String(decoding: content, as: UTF8.self)))"
  }

  /// The complaint about an unknown word in `SCENE_DEBUG`; nil without one.
  package static func complaint(about setting: String?) -> String? {
    let unknown = setting?.split(separator: ",").first { $0 != "wire" }
    return unknown.map {
      "SCENE_DEBUG: \"\($0.prefix(100))\" is unknown; set wire to print every frame"
    }
  }

  /// Whether frames are to be shown, by what `SCENE_DEBUG` says.
  package static func areShown(by setting: String?) -> Bool {
    setting?.split(separator: ",").contains("wire") == true
  }
}
