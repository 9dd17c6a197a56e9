import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneTool

@Suite("The frames between a viewer and a holder")
struct ViewerFramesTests {
  private let frames: [ViewerFrame] = [
    .greeting(Array("{}".utf8)), .hello(version: 1, Terminal.Size(columns: 80, rows: 24)),
    .input([3]), .size(Terminal.Size(columns: 300, rows: 2)),
    .output([UInt8](repeating: 7, count: ViewerFrame.contentLimit)), .output([]),
    .end(status: 143, text: "gone"), .detach(.stopped), .raise,
  ]

  @Test("the bytes of each type are frozen")
  func bytes() {
    #expect(frames[1].bytes == [1, 0, 5, 1, 0, 80, 0, 24])
    #expect(frames[2].bytes == [2, 0, 1, 3])
    #expect(frames[3].bytes == [3, 0, 4, 1, 44, 0, 2])
    #expect(frames[4].bytes.prefix(4) == [4, 255, 255, 7])
    #expect(frames[6].bytes == [5, 0, 5, 143] + Array("gone".utf8))
    #expect(frames[7].bytes == [6, 0, 1, 1])
    #expect(frames[8].bytes == [8, 0, 0])
    #expect(frames[0].bytes == [7, 0, 2] + Array("{}".utf8))
  }

  @Test("frames arrive whole, however the bytes are split", arguments: 0..<20)
  func splits(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var rest = frames.flatMap(\.bytes)[...]
    var reader = ViewerFrameReader()
    var found: [ViewerFrame] = []
    while !rest.isEmpty {
      let count = Int.random(in: 1...(Bool.random(using: &random) ? 3 : 30_000), using: &random)
      found += reader.take(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    #expect(found == frames)
  }

  @Test("a peer ignores unknown types, added bytes, and content that a type does not allow")
  func unknown() {
    var reader = ViewerFrameReader()
    let bytes: [UInt8] = [99, 0, 2, 1, 2, 3, 0, 1, 9, 5, 0, 0, 1, 0, 6, 2, 0, 80, 0, 24, 9]
    #expect(reader.take(bytes) == [.hello(version: 2, Terminal.Size(columns: 80, rows: 24))])
    #expect(reader.take(ViewerFrame.input([1]).bytes) == [.input([1])])
  }
}
