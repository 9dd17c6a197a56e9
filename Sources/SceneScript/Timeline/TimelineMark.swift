import SceneCommandLine
import SceneModel

/// The mark of an event in its lane.
package enum TimelineMark: String, CaseIterable, Sendable {
  case joined, left, created, discarded, connected, disconnected, aimed, callback, acknowledged
  case saved, posted, delivered, failed, overran, unresponsive, responded
  case launched, exited, launchFailed
  case undiscarded, released, adopted, warned, terminated, reclaimed, restarted, other

  init?(_ content: Timeline.Content) {
    switch content {
    case .pause: return nil
    case .restart: self = .restarted
    case .entry(let entry): self = TimelineMark(rawValue: entry.event.rawValue) ?? .other
    }
  }

  /// The entry of the legend.
  package var meaning: String { look.meaning }
  package var glyph: Character { look.glyph }
  package var asciiGlyph: Character { look.asciiGlyph }
  /// The default style of the mark.
  var style: Style { look.style }
  /// The SVG content of the mark, in a square of 14 units.
  var shape: String { look.shape }

  private var look:
    (meaning: String, glyph: Character, asciiGlyph: Character, style: Style, shape: String)
  {
    switch self {
    case .joined:
      ("client connected to the broker", "┬", ".", .plain, #"<path d="M2 7h10M7 7v4.5"/>"#)
    case .left:
      ("client left the broker", "┴", "'", .plain, #"<path d="M2 7h10M7 7v-4.5"/>"#)
    case .created:
      ("session created", "+", "+", .plain, #"<path d="M7 2.5v9M2.5 7h9"/>"#)
    case .discarded:
      ("session discarded", "-", "-", .plain, #"<path d="M3.5 3.5l7 7M10.5 3.5l-7 7"/>"#)
    case .connected:
      ("scene connected", "●", "@", .good, #"<circle class="full" cx="7" cy="7" r="4.5"/>"#)
    case .disconnected:
      ("scene disconnected", "○", "o", .plain, #"<circle class="hollow" cx="7" cy="7" r="4"/>"#)
    case .aimed:
      ("target state set", "◇", ">", .plain, #"<path class="hollow" d="M7 2l5 5l-5 5l-5-5z"/>"#)
    case .callback:
      ("callback sent", "▼", "v", .waiting, #"<path class="full" d="M1.5 3h11l-5.5 9z"/>"#)
    case .acknowledged:
      ("callback answered", "▲", "^", .good, #"<path class="full" d="M1.5 11h11l-5.5-9z"/>"#)
    case .saved:
      ("activity saved", "◆", "s", .good, #"<path class="full" d="M7 1l6 6l-6 6l-6-6z"/>"#)
    case .posted:
      ("event posted", "↑", "p", .waiting, #"<path d="M7 12v-10M3 6l4-4l4 4"/>"#)
    case .delivered:
      ("event delivered", "↓", "d", .good, #"<path d="M7 2v10M3 8l4 4l4-4"/>"#)
    case .failed:
      ("callback answered with an error", "×", "x", .bad, #"<path d="M3 3l8 8M11 3l-8 8"/>"#)
    case .overran:
      (
        "callback not answered in time", "!", "!", .bad,
        #"<path class="full" d="M2 1h10l-10 12h10z"/>"#
      )
    case .unresponsive:
      ("client does not respond", "…", "z", .bad, #"<path d="M2 7h2M6 7h2M10 7h2"/>"#)
    case .responded:
      ("client responds again", "✓", "r", .good, #"<path d="M4 12l3-9l3 9"/>"#)
    case .launched:
      ("process launched by the broker", "╷", ",", .plain, #"<path d="M7 2.5v9M4 8.5l3 3l3-3"/>"#)
    case .exited:
      ("launched process ended", "╵", "`", .plain, #"<path d="M7 11.5v-9M2 2.5h10"/>"#)
    case .launchFailed:
      ("launch failed", "‼", "#", .bad, #"<path d="M2.5 2.5h9v9h-9zM4.5 4.5l5 5M9.5 4.5l-5 5"/>"#)
    case .undiscarded:
      ("session undiscarded", "↶", "u", .plain, #"<path d="M3 9l4-5l4 5M7 4v8"/>"#)
    case .released:
      ("session released to another host", "▷", ")", .plain, #"<path d="M4 2l7 5l-7 5z"/>"#)
    case .adopted:
      ("session adopted from another host", "◁", "(", .plain, #"<path d="M10 2l-7 5l7 5z"/>"#)
    case .warned:
      ("memory warning", "△", "w", .waiting, #"<path class="hollow" d="M7 2l5 10h-10z"/>"#)
    case .terminated:
      ("process ended for memory", "⊗", "k", .plain, #"<path d="M4 4l6 6M10 4l-6 6M2 12h10"/>"#)
    case .reclaimed:
      (
        "scene reclaimed for memory", "▽", "m", .plain,
        #"<path class="hollow" d="M2 2h10l-5 10z"/>"#
      )
    case .restarted:
      ("broker restarted", "■", "=", .heading, #"<path class="full" d="M2 2h10v10h-10z"/>"#)
    case .other:
      ("other event", "·", "?", .plain, #"<circle class="full" cx="7" cy="7" r="2.5"/>"#)
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
  var glyph: Character { [" ", "┊", "│", "┃"][rawValue] }
  var asciiGlyph: Character { [" ", ":", "|", "#"][rawValue] }

  var style: Style { self == .heavy ? .waiting : .faint }
}
