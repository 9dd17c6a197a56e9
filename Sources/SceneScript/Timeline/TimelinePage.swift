import CommandLine

/// A timeline as a page for a browser: one file that needs nothing else.
package struct TimelinePage {
  private let timeline: Timeline
  private let title: String
  private let remarks: [String]

  /// The title says whose story it is; remarks, if there are any, what was the matter with it.
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
      \(Self.style)
      </style>
      </head>
      <body>
      <svg class="symbols" aria-hidden="true">\(symbols)</svg>
      <header>
      <h1>\(title)</h1>
      <p>\(facts)</p>
      \(remark)\(picker)</header>
      <main>
      \(legend)
      <ol role="list" style="--n:\(timeline.laneCount)">

      """
    for index in timeline.rows.indices { page += row(index) }
    page += "</ol>\n"
    for sentence in timeline.unansweredWords {
      page += #"<p class="open">\#(sentence.markup)</p>"# + "\n"
    }
    page += "</main>\n<script>\n\(Self.script)\n</script>\n</body>\n</html>\n"
    return page
  }

  // MARK: - Around the rows

  private var symbols: String {
    TimelineMark.allCases.map { mark in
      #"<symbol id="\#(mark.rawValue)" viewBox="0 0 14 14">\#(mark.shape)</symbol>"#
    }
    .joined(separator: "\n")
  }

  private var facts: String {
    timeline.facts.map { "<span>\($0.markup)</span>" }.joined(separator: ", ")
  }

  private var remark: String {
    remarks.isEmpty
      ? "" : "<pre>\(remarks.map(\.markup).joined(separator: "\n"))</pre>\n"
  }

  /// Chooses the session that is picked out; without scripts there is nothing to choose.
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
      <details><summary>What the marks mean</summary>
      <ul>\(entries.joined())<li><i class="sample"></i> process waited for</li>\
      <li><i class="sample adrift"></i> process without a broker</li></ul>
      <p>Each lane is a process, named where it joins; the leftmost is the broker. Times are \
      seconds since the beginning. Click a row to follow its session; Escape ends that.</p>
      </details>
      """
  }

  private func symbol(_ mark: TimelineMark, style: Style, attribute: String) -> String {
    ##"<svg class="m \##(style)" \##(attribute)><use href="#\##(mark.rawValue)"/></svg>"##
  }

  // MARK: - A row

  private func row(_ index: Int) -> String {
    let row = timeline.rows[index]
    let session = row.session.map { #" data-s="\#($0)""# } ?? ""
    let kind = TimelineMark(row.happening)?.rawValue ?? "pause"
    var meta = kind == "pause" ? "" : "<time>\(WrittenTime.seconds(row.time))</time>"
    if let session = row.session {
      meta += "<b>\(timeline.sessions[session].label.markup)</b>"
    }
    if let process = row.process {
      meta += #"<span class="p">\#(timeline.processes[process].client.label.markup)</span>"#
    }
    let words = timeline.words(for: row, at: index, naming: false).escapedMarkup
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
    if let kind = TimelineMark(row.happening) {
      let place = #"style="--l:\#(timeline.lane(of: row))""#
      mark = symbol(kind, style: row.style, attribute: place)
    }
    return #"<span class="l" aria-hidden="true"><svg viewBox="0 0 \#(2 * timeline.laneCount) 2" "#
      + #"preserveAspectRatio="none">\#(lines)</svg>\#(mark)</span>"#
  }

  /// The lines of all lanes that go on so; a lane is 2 wide, and what happens is in the middle of
  /// the row's height of 2.
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
  /// As it stands in a page: it can neither be taken for markup nor turn the text round it.
  fileprivate var markup: String { PlainText.escaped(self).escapedMarkup }

  /// The same for what is safe but for markup.
  fileprivate var escapedMarkup: String {
    var text = ""
    for character in unicodeScalars {
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }
}
