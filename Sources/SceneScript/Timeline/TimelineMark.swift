import CommandLine
import SceneModel

/// What stands in a lane where something happened, by its kind.
package enum TimelineMark: String, CaseIterable, Sendable {
  case joined, left, created, discarded, connected, disconnected, aimed, callback, acknowledged
  case saved, posted, delivered, failed, overran, launched, exited, launchFailed, restarted, other

  init?(_ happening: Timeline.Happening) {
    switch happening {
    case .pause: return nil
    case .restart: self = .restarted
    case .entry(let entry): self = TimelineMark(rawValue: entry.event.rawValue) ?? .other
    }
  }

  /// What it means, in few words.
  package var meaning: String {
    switch self {
    case .joined: "a process joins"
    case .left: "a process leaves"
    case .created: "session created"
    case .discarded: "session discarded"
    case .connected: "scene connected"
    case .disconnected: "scene disconnected"
    case .aimed: "scene aimed at a state"
    case .callback: "callback"
    case .acknowledged: "answered"
    case .saved: "activity saved"
    case .posted: "event posted"
    case .delivered: "event delivered"
    case .failed: "answered with an error"
    case .overran: "not answered in time"
    case .launched: "a process is started"
    case .exited: "a process that was started has ended"
    case .launchFailed: "nobody could be started"
    case .restarted: "another broker takes over"
    case .other: "something else"
    }
  }

  package var glyph: Character {
    switch self {
    case .joined: "┬"
    case .left: "┴"
    case .created: "+"
    case .discarded: "-"
    case .connected: "●"
    case .disconnected: "○"
    case .aimed: "◇"
    case .callback: "▼"
    case .acknowledged: "▲"
    case .saved: "◆"
    case .posted: "↑"
    case .delivered: "↓"
    case .failed: "×"
    case .overran: "!"
    case .launched: "╷"
    case .exited: "╵"
    case .launchFailed: "‼"
    case .restarted: "■"
    case .other: "·"
    }
  }

  package var asciiGlyph: Character {
    switch self {
    case .joined: "."
    case .left: "'"
    case .created: "+"
    case .discarded: "-"
    case .connected: "@"
    case .disconnected: "o"
    case .aimed: ">"
    case .callback: "v"
    case .acknowledged: "^"
    case .saved: "s"
    case .posted: "p"
    case .delivered: "d"
    case .failed: "x"
    case .overran: "!"
    case .launched: ","
    case .exited: "`"
    case .launchFailed: "#"
    case .restarted: "="
    case .other: "?"
    }
  }
}

extension TimelineMark {
  /// How it looks, if there is nothing special about what happened.
  var style: Style {
    switch self {
    case .joined, .left, .created, .discarded, .disconnected, .aimed, .launched, .exited, .other:
      .plain
    case .connected, .acknowledged, .saved, .delivered: .good
    case .callback, .posted: .waiting
    case .failed, .overran, .launchFailed: .bad
    case .restarted: .heading
    }
  }
}

extension Timeline.Row {
  /// How its mark looks, and where it is bad, its words too.
  var style: Style {
    guard let mark = TimelineMark(happening) else { return .faint }
    return mark == .disconnected && endedWithoutAWord ? .bad : mark.style
  }

  private var endedWithoutAWord: Bool {
    let reason = entry?.reason.map(DisconnectReason.init(rawValue:))
    return reason?.nextConnectReason == .recover
  }
}

extension Timeline.Stroke {
  var glyph: Character {
    switch self {
    case .none: " "
    case .adrift: "┊"
    case .thin: "│"
    case .heavy: "┃"
    }
  }

  var asciiGlyph: Character {
    switch self {
    case .none: " "
    case .adrift: ":"
    case .thin: "|"
    case .heavy: "#"
    }
  }

  var style: Style { self == .heavy ? .waiting : .faint }
}
