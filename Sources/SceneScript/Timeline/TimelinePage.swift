import SceneCommandLine
import SceneModel

/// A timeline as a self-contained HTML page.
package struct TimelinePage {
  private let timeline: Timeline
  private let title: String
  private let remarks: [String]

  /// The remarks are lines of text above the rows, such as a failure.
  package init(_ timeline: Timeline, title: String, remarks: [String] = []) {
    self.timeline = timeline
    self.title = title.markup
    self.remarks = remarks
  }

  package var html: String {
    var page = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      style-src 'unsafe-inline'; script-src 'unsafe-inline'">
      <title>\(title): timeline</title>
      <style>
      \(TimelineStyle.css)
      </style>
      </head>
      <body>
      <svg class="symbols" aria-hidden="true">\(symbols)</svg>
      <header>
      <h1>\(title)</h1>
      <p>\(facts)</p>
      \(remark)\(picker)</header>
      <main style="--n:\(timeline.laneCount)">
      \(legend)
      \(laneNames)<ol role="list">

      """
    for index in timeline.rows.indices { page += row(index) }
    page += "</ol>\n"
    for sentence in timeline.unansweredCallbacks {
      page += #"<p class="open">\#(sentence.markup)</p>"# + "\n"
    }
    page += "</main>\n<script>\n\(TimelineStyle.script)\n</script>\n</body>\n</html>\n"
    return page
  }

  // MARK: - Page

  private var symbols: String {
    TimelineMark.allCases.map { mark in
      #"<symbol id="\#(mark.rawValue)" viewBox="0 0 14 14">\#(mark.shape)</symbol>"#
    }
    .joined(separator: "\n")
  }

  private var facts: String {
    (timeline.facts + (timeline.isEmpty ? [] : ["not to scale"])).map {
      "<span>\($0.markup)</span>"
    }
    .joined(separator: ", ")
  }

  private var remark: String {
    remarks.isEmpty
      ? "" : "<pre>\(remarks.map(\.markup).joined(separator: "\n"))</pre>\n"
  }

  /// The menu that highlights a session. It stays hidden without scripts.
  private var picker: String {
    guard !timeline.sessions.isEmpty else { return "" }
    let options = timeline.sessions.enumerated().map { index, session in
      #"<option value="\#(index)">\#(session.label.markup)</option>"#
    }
    return """
      <label hidden>Session <select><option value="">all</option>
      \(options.joined())</select></label>

      """
  }

  private var legend: String {
    let entries = TimelineMark.allCases.map { mark in
      let symbol = symbol(mark, style: mark.style, attribute: #"aria-hidden="true""#)
      return "<li>\(symbol) \(mark.meaning)</li>"
    }
    return """
      <details><summary>Legend</summary>
      <ul>\(entries.joined())<li><i class="sample"></i> callback not answered yet</li>\
      <li><i class="sample adrift"></i> process without a broker</li></ul>
      <p>Each lane is a process, and the leftmost lane is the broker. When a process has ended, \
      the next one can use its lane: its first row names it. Times are in seconds from the start of the trace. Click a row to highlight its \
      session. Press Escape to clear the highlight.</p>
      </details>
      """
  }

  private func symbol(_ mark: TimelineMark, style: Style, attribute: String) -> String {
    ##"<svg class="m \##(style)" \##(attribute)><use href="#\##(mark.rawValue)"/></svg>"##
  }

  /// The most lanes whose names have room.
  private static let namedLanes = 24

  /// The name of each lane, above it. A lane can have several processes, one after the other.
  private var laneNames: String {
    guard timeline.laneCount <= Self.namedLanes else { return "" }
    let lanes = Dictionary(grouping: timeline.processes, by: \.lane)
    let names = (0..<timeline.laneCount).map { lane in
      // A client that connected again has the same name.
      let labels = (lanes[lane] ?? []).map(\.client.label)
        .reduce(into: [String]()) { labels, label in
          if !labels.contains(label) { labels.append(label) }
        }
      let others = labels.count > 1 ? " +\(labels.count - 1)" : ""
      let name = lane == 0 ? "broker" : (labels.first ?? "") + others
      let title = lane == 0 ? "" : #" title="\#(labels.joined(separator: ", ").markup)""#
      return #"<span style="--l:\#(lane)"\#(title)>\#(name.markup)</span>"#
    }
    return #"<div class="names">\#(names.joined())</div>"# + "\n"
  }

  // MARK: - Rows

  private func row(_ index: Int) -> String {
    let row = timeline.rows[index]
    let session = row.session.map { #" data-s="\#($0)""# } ?? ""
    let kind = TimelineMark(row.content)?.rawValue ?? "pause"
    var meta = kind == "pause" ? "" : "<time>\(TimeFormat.seconds(row.time))</time>"
    if let session = row.session {
      meta += "<b>\(timeline.sessions[session].label.markup)</b>"
    }
    if let process = row.process {
      meta += #"<span class="p">\#(timeline.processes[process].client.label.markup)</span>"#
    }
    let words = timeline.words(for: row, at: index, naming: false).quotedMarkup
    return #"<li class="\#(kind)"\#(session)>\#(lanes(index))<span class="i">\#(meta)</span>"#
      + #"<span class="w \#(row.style)">\#(words)</span></li>"# + "\n"
  }

  private func lanes(_ index: Int) -> String {
    let row = timeline.rows[index]
    let above = index == 0 ? [] : timeline.rows[index - 1].strokes
    var lines = ""
    for stroke in [Timeline.Stroke.adrift, .thin, .heavy] {
      let path = path(stroke, above: above, below: row.strokes)
      if !path.isEmpty { lines += #"<path class="\#(stroke)" d="\#(path)"/>"# }
    }
    var mark = ""
    if let kind = TimelineMark(row.content) {
      let place = #"style="--l:\#(timeline.lane(of: row))""#
      mark = symbol(kind, style: row.style, attribute: place)
    }
    return #"<span class="l" aria-hidden="true"><svg viewBox="0 0 \#(2 * timeline.laneCount) 2" "#
      + #"preserveAspectRatio="none">\#(lines)</svg>\#(mark)</span>"#
  }

  /// The SVG path of all lanes with this stroke. A lane is 2 units wide, a row is 2 units high, and
  /// the mark is in the middle.
  private func path(
    _ stroke: Timeline.Stroke, above: [Timeline.Stroke], below: [Timeline.Stroke]
  ) -> String {
    var path = ""
    for lane in 0..<timeline.laneCount {
      switch (lane < above.count && above[lane] == stroke, below[lane] == stroke) {
      case (true, true): path += "M\(2 * lane + 1) 0v2"
      case (true, false): path += "M\(2 * lane + 1) 0v1"
      case (false, true): path += "M\(2 * lane + 1) 1v1"
      case (false, false): break
      }
    }
    return path
  }
}

extension String {
  /// Escapes control characters and markup.
  fileprivate var markup: String { PlainText.escaped(self).quotedMarkup }

  /// Escapes markup only.
  fileprivate var quotedMarkup: String { escapedMarkup.replacing("'", with: "&#39;") }
}
