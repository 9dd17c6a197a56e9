import SceneFuzzing
import SceneWire
import Testing

@Suite("Fuzzed frames", .fuzz)
struct FuzzTests {
  /// The result of decoding a stream.
  private struct Outcome: Equatable {
    var frames: [Bytes] = []
    var error: FrameError?
    var isWithinFrame = false

    init(of pieces: [Bytes]) {
      var decoder = FrameDecoder(limit: 1000)
      do throws(FrameError) {
        for piece in pieces {
          try decoder.decode(piece.span) { content in
            frames.append(copy(content))
            return true
          }
        }
        isWithinFrame = decoder.isWithinFrame
      } catch {
        self.error = error
      }
    }
  }

  /// The sizes of the pieces are the first bytes of an input, up to a zero.
  @Test("any bytes in any pieces are decoded as the same frames, and each frame is refused or read")
  func frames() throws {
    try Fuzz.play("frames") { bytes in
      let sizes = bytes.prefix { $0 > 0 }
      let stream = Bytes(bytes.dropFirst(sizes.count + 1))
      var (pieces, rest): ([Bytes], ArraySlice<UInt8>) = ([], stream[...])
      for size in sizes {
        pieces.append(Bytes(rest.prefix(Int(size))))
        rest = rest.dropFirst(Int(size))
      }
      let whole = Outcome(of: [stream])
      #expect(Outcome(of: pieces + [Bytes(rest)]) == whole)
      let encoded = Bytes(whole.frames.flatMap { frame($0) })
      #expect(stream.starts(with: encoded))
      if whole.error == nil { #expect(whole.isWithinFrame == (encoded.count < stream.count)) }
      for content in whole.frames { _ = envelope(content) }
    }
  }
}
