import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneTool

@Suite("The holder's connection to a viewer")
final class HeldViewerTests {
  private let viewer: HeldViewer
  private let peer: FileDescriptor

  init() throws {
    var ends = try UnixSocket.pair()
    viewer = HeldViewer(ends.takeFirst())
    peer = ends.takeSecond()
    viewer.size = Terminal.Size(columns: 80, rows: 24)
  }

  private func fill() {
    let output = ViewerFrame.output([UInt8](repeating: 7, count: ViewerFrame.contentLimit))
    while !viewer.isBlocking { viewer.send(output) }
  }

  private func readAll() throws -> [ViewerFrame] {
    var reader = ViewerFrameReader()
    var frames: [ViewerFrame] = []
    let buffer = InputBuffer(byteCount: 1 << 16)
    while !viewer.isFinished, !viewer.awaitsOutput {
      guard case .bytes(let count) = peer.receive(into: buffer.bytes) else { break }
      frames += reader.take(buffer.bytes[..<count])
      viewer.flush()
    }
    while try peer.waitReadable(nanoseconds: 0),
      case .bytes(let count) = peer.receive(into: buffer.bytes)
    {
      frames += reader.take(buffer.bytes[..<count])
    }
    return frames
  }

  @Test("a viewer that reads slowly gets the last frame, and no longer slows the program")
  func closes() throws {
    fill()
    viewer.close(with: .end(status: 3, text: ""))
    #expect(!viewer.isBlocking)
    #expect(try readAll().last == .end(status: 3, text: ""))
    #expect(viewer.isFinished)
  }

  @Test("a viewer that has fallen behind gets whole frames, and the last one")
  func fallsBehind() throws {
    fill()
    viewer.fallBehind()
    #expect(!viewer.isBlocking)
    viewer.send(.output([1]))
    viewer.close(with: .detach(.background))
    let frames = try readAll()
    #expect(frames.last == .detach(.background))
    #expect(!frames.contains(.output([1])))
  }

  @Test("a greeting fits into a frame, and the lock file has all arguments")
  func greeting() {
    var record = HolderRecord()
    record.arguments = ["sh", "-c", String(repeating: "x", count: 70_000)]
    let frame = ViewerFrame.greeting(record.greeting)
    #expect(frame.bytes.count <= ViewerFrame.contentLimit)
    #expect(record.bytes.count > 70_000)
  }
}
