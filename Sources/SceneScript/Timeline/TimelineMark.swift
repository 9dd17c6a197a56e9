import SceneCommandLine
import SceneModel

/// The mark of an event in its lane.
package enum TimelineMark: String, CaseIterable, Sendable {
  case joined, left, created, discarded, connected, disconnected, aimed, callback, acknowledged
  case saved, posted, delivered, failed, overran, launched, exited, launchFailed, restarted, other

  init?(_ content: Timeline.Content) {
    switch content {
    case .pause: return nil
    case .restart: self = .restarted
    case .entry(let entry): self = TimelineMark(rawValue: entry.event.rawValue) ?? .other
    }
  }

  /// The entry of the legend.
  package var meaning: String {
    switch self {
    case .joined: "client connected to the broker"
    case .left: "client left the broker"
    case .created: "session created"
    case .discarded: "session discarded"
    case .connected: "scene connected"
    case .disconnected: "scene disconnected"
    case .aimed: "target state set"
    case .callback: "callback sent"
    case .acknowledged: "callback answered"
    case .saved: "activity saved"
    case .posted: "event posted"
    case .delivered: "event delivered"
    case .failed: "callback answered with an error"
    case .overran: "callback not answered in time"
    case .launched: "process launched by the broker"
    case .exited: "launched process ended"
    case .launchFailed: "launch failed"
    case .restarted: "broker restarted"
    case .other: "other event"
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
  /// The default style of the mark.
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

extension TimelineMark {
  /// The SVG content of the mark, in a square of 14 units.
  var shape: String {
    switch self {
    case .joined: #"<path d="M2 7h10M7 7v4.5"/>"#
    case .left: #"<path d="M2 7h10M7 7v-4.5"/>"#
    case .created: #"<path d="M7 2.5v9M2.5 7h9"/>"#
    case .discarded: #"<path d="M3.5 3.5l7 7M10.5 3.5l-7 7"/>"#
    case .connected: #"<circle class="full" cx="7" cy="7" r="4.5"/>"#
    case .disconnected: #"<circle class="hollow" cx="7" cy="7" r="4"/>"#
    case .aimed: #"<path class="hollow" d="M7 2l5 5l-5 5l-5-5z"/>"#
    case .callback: #"<path class="full" d="M1.5 3h11l-5.5 9z"/>"#
    case .acknowledged: #"<path class="full" d="M1.5 11h11l-5.5-9z"/>"#
    case .saved: #"<path class="full" d="M7 1l6 6l-6 6l-6-6z"/>"#
    case .posted: #"<path d="M7 12v-10M3 6l4-4l4 4"/>"#
    case .delivered: #"<path d="M7 2v10M3 8l4 4l4-4"/>"#
    case .failed: #"<path d="M3 3l8 8M11 3l-8 8"/>"#
    case .overran: #"<path class="full" d="M2 1h10l-10 12h10z"/>"#
    case .launched: #"<path d="M7 2.5v9M4 8.5l3 3l3-3"/>"#
    case .exited: #"<path d="M7 11.5v-9M2 2.5h10"/>"#
    case .launchFailed: #"<path d="M2.5 2.5h9v9h-9zM4.5 4.5l5 5M9.5 4.5l-5 5"/>"#
    case .restarted: #"<path class="full" d="M2 2h10v10h-10z"/>"#
    case .other: #"<circle class="full" cx="7" cy="7" r="2.5"/>"#
    }
  }
}

extension Timeline.Row {
  /// The style of the row's mark. A lost connection is bad.
  var style: Style {
    guard let mark = TimelineMark(content) else { return .faint }
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
