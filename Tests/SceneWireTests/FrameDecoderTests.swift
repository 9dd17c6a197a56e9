import SceneWire
import Testing

/// A stream of bytes, cut into frames wherever the reads end.
struct FrameDecoderTests {
  private let contents: [Bytes] = [
    Bytes("{}".utf8), Bytes("[1,2,3]".utf8), [0], Bytes("é😀".utf8),
    Bytes(repeating: 0x20, count: 300),
  ]

  private var stream: Bytes { contents.reduce(into: []) { $0 += frame($1) } }

  @Test("frames that arrive together are decoded one after another")
  func pipelined() throws {
    var decoder = FrameDecoder(limit: 1000)
    #expect(try decoder.frames(in: stream) == contents)
    #expect(!decoder.isWithinFrame)
  }

  @Test(
    "the number of missing bytes is known after the header, and never includes the next frame"
  )
  func missing() throws {
    let whole = frame(Bytes(repeating: 0x20, count: 300))
    for cut in 0...whole.count {
      var decoder = FrameDecoder(limit: 1000)
      _ = try decoder.frames(in: Bytes(whole[..<cut]))
      let missing = FrameDecoder.headerLength..<whole.count ~= cut ? whole.count - cut : 0
      #expect(decoder.missingByteCount == missing, "cut at \(cut)")
    }
  }

  @Test("frames that are cut at any byte are decoded as the same frames")
  func cutOnce() throws {
    let stream = stream
    for cut in 0...stream.count {
      var decoder = FrameDecoder(limit: 1000)
      var frames = try decoder.frames(in: Bytes(stream[..<cut]))
      frames += try decoder.frames(in: Bytes(stream[cut...]))
      #expect(frames == contents, "cut at \(cut)")
      #expect(!decoder.isWithinFrame)
    }
  }

  @Test("frames in pieces of any size are decoded as the same frames", arguments: 1...20)
  func pieces(size: Int) throws {
    let stream = stream
    var decoder = FrameDecoder(limit: 1000)
    var frames: [Bytes] = []
    for start in stride(from: 0, to: stream.count, by: size) {
      frames += try decoder.frames(in: Bytes(stream[start..<min(start + size, stream.count)]))
    }
    #expect(frames == contents)
  }

  @Test("the decoder reports whether it is within a frame")
  func isWithinFrame() throws {
    let whole = frame("{}")
    var decoder = FrameDecoder(limit: 10)
    for count in 0..<whole.count {
      _ = try decoder.frames(in: count == 0 ? [] : [whole[count - 1]])
      #expect(decoder.isWithinFrame == (count > 0))
    }
    _ = try decoder.frames(in: [whole[whole.count - 1]])
    #expect(!decoder.isWithinFrame)
    // The end of one frame and the beginning of the next.
    _ = try decoder.frames(in: whole + [0])
    #expect(decoder.isWithinFrame)
  }

  @Test("a frame at the limit is accepted, and one byte more is refused")
  func limit() throws {
    var decoder = FrameDecoder(limit: 300)
    let atLimit = Bytes(repeating: 0x20, count: 300)
    #expect(try decoder.frames(in: frame(atLimit)) == [atLimit])
    #expect(throws: FrameError.tooLong(301, limit: 300)) {
      try decoder.frames(in: frame(Bytes(repeating: 0x20, count: 301)))
    }
  }

  @Test("the limit applies before the content of the frame arrives")
  func limitBeforeContent() {
    var decoder = FrameDecoder(limit: 300)
    #expect(throws: FrameError.tooLong(0xFFFFFF, limit: 300)) {
      try decoder.frames(in: [0, 0xFF, 0xFF, 0xFF])
    }
  }

  @Test("the limit also applies to a header in pieces")
  func limitInPieces() throws {
    var decoder = FrameDecoder(limit: 300)
    _ = try decoder.frames(in: [0])
    _ = try decoder.frames(in: [0, 1])
    #expect(throws: FrameError.tooLong(0x1FF, limit: 300)) { try decoder.frames(in: [0xFF]) }
  }

  @Test("a length of zero is an error", arguments: [Bytes([0, 0, 0, 0]), [0, 0, 0, 0, 1]])
  func empty(bytes: Bytes) {
    var decoder = FrameDecoder(limit: 300)
    #expect(throws: FrameError.empty) { try decoder.frames(in: bytes) }
  }

  @Test("the top byte of a length is zero", arguments: [UInt8(1), 0x47, 0x80, 0xFF])
  func reserved(byte: UInt8) throws {
    var decoder = FrameDecoder(limit: 1 << 20)
    #expect(throws: FrameError.reservedByteSet(byte)) {
      try decoder.frames(in: [byte, 0, 0, 1, 0x20])
    }
    var pieces = FrameDecoder(limit: 1 << 20)
    _ = try pieces.frames(in: [byte, 0, 0])
    #expect(throws: FrameError.reservedByteSet(byte)) { try pieces.frames(in: [1]) }
  }

  @Test("frames before an invalid one are decoded")
  func before() {
    var decoder = FrameDecoder(limit: 300)
    var frames: [Bytes] = []
    let stream = frame("{}") + [0, 0, 0, 0]
    do throws(FrameError) {
      try decoder.decode(stream.span) { content in
        frames.append(copy(content))
        return true
      }
      Issue.record("a frame of length 0 was accepted")
    } catch {
      #expect(error == .empty)
    }
    #expect(frames == [Bytes("{}".utf8)])
  }

  @Test("the data after a frame that ends the connection is dropped")
  func stops() throws {
    for cut in 0...frame("{}").count {
      var decoder = FrameDecoder(limit: 300)
      var count = 0
      let stream = frame("{}") + frame("[]") + [1, 2, 3, 4, 5]
      for part in [Bytes(stream[..<cut]), Bytes(stream[cut...])] {
        guard count == 0 else { continue }
        try decoder.decode(part.span) { _ in
          count += 1
          return false
        }
      }
      #expect(count == 1)
      #expect(!decoder.isWithinFrame)
    }
  }

  @Test("a decoder that must stop decodes no frame, and reports how many bytes it decoded")
  func stopsBefore() throws {
    let stream = frame("{}") + frame("[]")
    for allowed in 0...2 {
      var decoder = FrameDecoder(limit: 300)
      var count = 0
      let decoded = try decoder.decode(stream.span, while: { count < allowed }) { _ in
        count += 1
        return true
      }
      #expect(count == allowed)
      #expect(decoded == allowed * frame("{}").count)
    }
  }

  @Test("the errors help the user of a client with another protocol")
  func descriptions() {
    #expect(
      FrameError.reservedByteSet(0x47).description.hasPrefix(
        "invalid frame length: the first byte is 71"))
    #expect(FrameError.empty.description == "a frame of length 0")
    #expect(
      FrameError.tooLong(7, limit: 5).description == "a frame of 7 bytes; the limit is 5")
  }
}
