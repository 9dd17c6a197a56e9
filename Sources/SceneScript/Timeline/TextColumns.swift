import SceneCommandLine

/// The widths of the columns of a text timeline.
struct TextColumns {
  /// The number of lane columns. The last column can stand for several lanes.
  let lanes: Int
  let sharesLastLane: Bool
  /// The text between two lanes.
  let gap: String
  let time: Int
  let session: Int
  /// Nil for no limit.
  let words: Int?
  /// The columns that the drawing needs; nil if it fits.
  let needed: Int?

  private static let widestSession = 20
  private static let fewestWords = 24
  /// More lanes than this have no gap.
  private static let mostApart = 24

  init(_ timeline: Timeline, sessions: [String], width: Int?) {
    let count = timeline.laneCount
    time = TimeFormat.seconds(timeline.rows.last?.time ?? 0).count
    let widest = width.map { min(Self.widestSession, $0 / 5) } ?? Self.widestSession
    let wanted = min(widest, sessions.map { PlainText.width($0) }.max() ?? 0)
    // In a narrow window, the words name the session.
    let least = Self.fewestWords / 2
    let narrowest = 2 + 2 + time + 2 + wanted + 2 + Self.fewestWords
    session = width ?? .max < narrowest ? 0 : wanted
    let margin = 2 + time + 2 + (session == 0 ? 0 : session + 2)
    let room = width.map { max(2, $0 - margin - Self.fewestWords) } ?? .max
    let standApart = count <= Self.mostApart && 2 * count - 1 <= room
    gap = standApart ? " " : ""
    lanes = min(count, room)
    sharesLastLane = lanes < count
    let taken = margin + (standApart ? 2 * count - 1 : lanes)
    words = width.map { max(least, $0 - taken) }
    needed = width.flatMap { $0 < taken + least ? taken + least : nil }
  }

  func column(ofLane lane: Int) -> Int { min(lane, lanes - 1) }
}
