package import SceneModel

/// What happened, row by row, and to which process: ready to be drawn.
///
/// The broker has lane 0. A process has a lane for as long as it is there; a later one may have the
/// same after it.
package struct Timeline: Equatable, Sendable {
  package internal(set) var rows: [Row] = []
  package internal(set) var processes: [Process] = []
  /// In the order in which they appear.
  package internal(set) var sessions: [Session] = []
  /// How many lanes there are, the broker's included.
  package internal(set) var laneCount = 1
  /// Callbacks that nobody has answered.
  package internal(set) var unanswered: [Wait] = []
  /// When the story starts, in milliseconds since 1970; nil if there is none.
  package internal(set) var start: Int64?
  /// What was before this entry is not known.
  package internal(set) var firstNumber: Int64 = 1
  /// Whether nothing of it is missing, whatever the first entry's number.
  package var isWhole = false

  /// From here on, in microseconds, one sees that for a while nothing happened.
  package static let longPause: Int64 = 1_000_000

  package struct Process: Equatable, Sendable {
    package var client: ClientReference
    package var lane = 0
    /// The row in which it comes.
    package var first: Int
    /// The row in which it goes; nil if it stays to the end.
    package var last: Int?
  }

  package struct Session: Equatable, Sendable {
    package var identifier: SessionIdentifier
    package var name: String?

    /// What people call it; not safe to show.
    package var label: String { name ?? identifier.short }
  }

  /// The broker asked something, and is not answered yet.
  package struct Wait: Equatable, Sendable {
    /// Indices into the timeline's lists.
    package var process: Int
    package var session: Int?
    package var callback: String?
    /// Microseconds since the story's start.
    package var since: Int64
  }

  package struct Row: Equatable, Sendable {
    package var happening: Happening
    /// Microseconds since the story's start.
    package var time: Int64
    /// An index into the timeline's sessions.
    package var session: Int?
    /// Whom it happened to, an index into the timeline's processes; nil if it was the broker.
    package var process: Int?
    /// How each lane goes on below.
    package var strokes: [Stroke] = []
    /// How many microseconds the broker waited for what is answered here.
    package var waited: Int64?
  }

  package enum Happening: Equatable, Sendable {
    case entry(TraceEntry)
    /// For so many microseconds nothing happened.
    case pause(Int64)
    /// Another broker took over; whoever lives has to join again.
    case restart
  }

  /// How a lane goes on, from the weakest on.
  package enum Stroke: Int, Sendable, CaseIterable {
    case none
    /// There is a process, but the new broker has not seen it yet.
    case adrift
    case thin
    /// The process is waited for.
    case heavy
  }

  package var isEmpty: Bool { rows.isEmpty }

  /// The lane in which the row has its mark.
  func lane(of row: Row) -> Int { row.process.map { processes[$0].lane } ?? 0 }
}
