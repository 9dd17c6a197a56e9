import SceneModel
import Testing

@testable import SceneScript

@Suite("A timeline as a page")
struct TimelinePageTests {
  private func page(_ tale: Tale, title: String = "default") -> String {
    TimelinePage(Timeline(TraceStory(tale.entries)), title: title).html
  }

  /// The list's rows.
  private func rows(_ page: String) -> [Substring] {
    page.split(separator: "\n").filter { $0.hasPrefix("<li class=") }
  }

  @Test("has a row for each thing that happened")
  func exact() {
    var tale = Tale()
    tale.join(11)
    tale.connect(0, 11)
    tale.call(0, 11, "willConnect")
    tale.restart(after: 2000)
    tale.join(12)
    let rows = rows(page(tale)).map { $0.replacing("><", with: ">\n<") }
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

  @Test("has the same words as the text")
  func sameWords() {
    let tale = TimelineTextTests.five
    let timeline = Timeline(TraceStory(tale.entries))
    let rows = rows(page(tale))
    #expect(rows.count == timeline.rows.count)
    for (index, row) in timeline.rows.enumerated() {
      let words = timeline.words(for: row, at: index, naming: false)
      #expect(rows[index].hasSuffix(">\(words)</span></li>"))
    }
  }

  @Test("draws every lane of fifty")
  func fifty() {
    let rows = rows(page(FiftyProcessesTests.fifty))
    let last = rows.last ?? ""
    #expect(last.contains("viewBox=\"0 0 102 2\""))
    // Those that are called are not answered, but for one; one has gone, and its lane is another's.
    let heavy = [5, 10, 20, 25, 30, 35, 45, 50]
    let thin = (0...50).filter { !heavy.contains($0) }.map { lane in
      lane == 40 ? "M81 1v1" : "M\(2 * lane + 1) 0v2"
    }
    #expect(last.contains("<path class=\"thin\" d=\"\(thin.joined())\"/>"))
    #expect(
      last.contains(
        "<path class=\"heavy\" d=\"M11 0v2M21 0v2M41 0v2M51 0v2M61 0v2M71 0v2M91 0v2M101 0v2\"/>"))
  }

  @Test("what others wrote is text, and stays on its side")
  func unsafe() {
    var tale = Tale()
    tale.tell(.joined, nil, 11) { $0.client?.name = "<script>alert('1')</script>&amp;" }
    tale.tell(.created, 0) { $0.name = "\"><img src=x>\u{202E}\n" }
    tale.call(1, 11, "<i>")
    let page = page(tale, title: "</title><script>")
    #expect(!page.contains("<script>alert"))
    #expect(!page.contains("<img"))
    #expect(!page.contains("<i>"))
    #expect(!page.contains("\u{202E}"))
    #expect(page.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp; 11 joined"))
    #expect(page.contains("<b>&quot;&gt;&lt;img src=x&gt;\\u202e\\n</b>"))
    #expect(page.contains("<title>&lt;/title&gt;&lt;script&gt;: timeline</title>"))
  }

  @Test("needs nothing but itself")
  func selfContained() {
    let page = page(TimelineTextTests.five)
    for word in ["http:", "https:", "src=", "url(", "@import", "<link", "//"] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.contains("default-src 'none'"))
    #expect(page.contains("prefers-color-scheme: dark"))
  }

  @Test("every mark that is used is there, and explained")
  func marks() {
    let page = page(TimelineTextTests.five)
    for mark in TimelineMark.allCases {
      #expect(page.contains("<symbol id=\"\(mark.rawValue)\" "))
      #expect(page.contains("</svg> \(mark.meaning)</li>"))
    }
  }

  @Test("of nothing says so")
  func nothing() {
    #expect(page(Tale()).contains("<p><span>nothing has happened</span></p>"))
  }
}
