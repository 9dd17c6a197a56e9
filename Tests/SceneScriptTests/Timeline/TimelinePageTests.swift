import SceneModel
import Testing

@testable import SceneScript

@Suite("A timeline as a page")
struct TimelinePageTests {
  private func page(_ fixture: TraceFixture, title: String = "default") -> String {
    TimelinePage(Timeline(TraceLog(fixture.entries)), title: title).html
  }

  private func rows(_ page: String) -> [Substring] {
    page.split(separator: "\n").filter { $0.hasPrefix("<li class=") }
  }

  @Test("a process has the name of its program from its first row, and after a restart")
  func program() {
    var fixture = TraceFixture()
    fixture.join(11)
    fixture.connect(0, 11)
    func run(_ entry: inout TraceEntry) {
      entry.client?.name = "vim"
      entry.client?.program = 12
    }
    fixture.tell(.reported, 0, 11, run)
    fixture.restart(after: 2000)
    fixture.join(11)
    fixture.tell(.left, nil, 11, run)
    let timeline = Timeline(TraceLog(fixture.entries))
    #expect(timeline.processes.map(\.client.label) == ["vim 12"])
    #expect(!TimelineText(timeline).text(title: "default").contains("scene"))
    #expect(!page(fixture).contains("scene 11"))
  }

  @Test("the page has a row for each event")
  func exact() {
    var fixture = TraceFixture()
    fixture.join(11)
    fixture.connect(0, 11)
    fixture.call(0, 11, "willConnect")
    fixture.restart(after: 2000)
    fixture.join(12)
    let rows = rows(page(fixture)).map { $0.replacing("><", with: ">\n<") }
    #expect(rows.count == 6)
    #expect(
      rows[2] == """
        <li class="callback" data-s="0">
        <span class="l" aria-hidden="true">
        <svg viewBox="0 0 4 2" preserveAspectRatio="none">
        <path class="thin" d="M1 0v2M3 0v1"/>
        <path class="heavy" d="M3 1v1"/>
        </svg>
        <svg class="m waiting" style="--l:1">
        <use href="#callback"/>
        </svg>
        </span>
        <span class="i">
        <time>0.002</time>
        <b>packing</b>
        <span class="p">scene 11</span>
        </span>
        <span class="w waiting">→ willConnect</span>
        </li>
        """)
    #expect(
      rows[3] == """
        <li class="pause">
        <span class="l" aria-hidden="true">
        <svg viewBox="0 0 4 2" preserveAspectRatio="none">
        <path class="thin" d="M1 0v2"/>
        <path class="heavy" d="M3 0v2"/>
        </svg>
        </span>
        <span class="i">
        </span>
        <span class="w faint">2.001 s later</span>
        </li>
        """)
  }

  @Test("the page and the text have the same words")
  func sameWords() {
    let fixture = GoldenTimelineTests.five
    let timeline = Timeline(TraceLog(fixture.entries))
    let rows = rows(page(fixture))
    #expect(rows.count == timeline.rows.count)
    for (index, row) in timeline.rows.enumerated() {
      let words = timeline.words(for: row, at: index, naming: false)
      #expect(rows[index].hasSuffix(">\(words)</span></li>"))
    }
  }

  @Test("the page draws all lanes")
  func fifty() {
    let rows = rows(page(FiftyProcessesTests.fifty))
    let last = rows.last ?? ""
    #expect(last.contains("viewBox=\"0 0 102 2\""))
    // One callback has an answer, and one process has ended, so another process has its lane.
    let heavy = [5, 10, 20, 25, 30, 35, 45, 50]
    let thin = (0...50).filter { !heavy.contains($0) }.map { lane in
      lane == 40 ? "M81 1v1" : "M\(2 * lane + 1) 0v2"
    }
    #expect(last.contains("<path class=\"thin\" d=\"\(thin.joined())\"/>"))
    #expect(
      last.contains(
        "<path class=\"heavy\" d=\"M11 0v2M21 0v2M41 0v2M51 0v2M61 0v2M71 0v2M91 0v2M101 0v2\"/>"))
  }

  @Test("names of clients and sessions are escaped")
  func unsafe() {
    var fixture = TraceFixture()
    fixture.tell(.joined, nil, 11) { $0.client?.name = "<script>alert('1')</script>&amp;" }
    fixture.tell(.created, 0) { $0.name = "\"><img src=x>\u{202E}\n" }
    fixture.call(1, 11, "<i>")
    let page = page(fixture, title: "</title><script>")
    #expect(!page.contains("<script>alert"))
    #expect(!page.contains("<img"))
    #expect(!page.contains("<i>"))
    #expect(!page.contains("\u{202E}"))
    #expect(page.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp; 11 joined"))
    #expect(page.contains("<b>&quot;&gt;&lt;img src=x&gt;\\u202e\\n</b>"))
    #expect(page.contains("<title>&lt;/title&gt;&lt;script&gt;: timeline</title>"))
  }

  @Test("the page loads no other resource")
  func selfContained() {
    let page = page(GoldenTimelineTests.five)
    for word in ["http:", "https:", "src=", "url(", "@import", "<link", "//"] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.contains("default-src 'none'"))
    #expect(page.contains("prefers-color-scheme: dark"))
  }

  @Test("the page defines and explains every mark")
  func marks() {
    let page = page(GoldenTimelineTests.five)
    for mark in TimelineMark.allCases {
      #expect(page.contains("<symbol id=\"\(mark.rawValue)\" "))
      #expect(page.contains("</svg> \(mark.meaning)</li>"))
    }
  }

  @Test("an empty trace says so")
  func nothing() {
    #expect(page(TraceFixture()).contains("<p><span>no events</span></p>"))
  }
}
