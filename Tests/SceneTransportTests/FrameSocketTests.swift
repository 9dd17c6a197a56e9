import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import SceneWire
import Testing

@testable import SceneTransport

@Suite("A frame socket")
struct FrameSocketTests {
  private let socket: FrameSocket
  private let peer: FrameSocket

  init() throws {
    var pair = try UnixSocket.pair()
    socket = FrameSocket(pair.takeFirst())
    peer = FrameSocket(pair.takeSecond())
  }

  private func frame(_ content: String) -> ContiguousArray<UInt8> {
    let count = content.utf8.count
    return [0, UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255)] + content.utf8
  }

  private func send(_ bytes: some Sequence<UInt8>) throws {
    peer.write(bytes: Array(bytes)[...])
    #expect(try peer.flush(until: nil))
  }

  private func nextText(_ socket: FrameSocket) throws -> String? {
    try socket.nextFrame().map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: - Sending

  @Test("a flush keeps the bytes that the socket does not take, and a later flush sends them")
  func partialWrites() throws {
    let texts = (0..<64).map { String(repeating: "\($0 % 10)", count: 100_000) }
    for text in texts { socket.write(bytes: Array(frame(text))[...]) }
    socket.flush()
    #expect(socket.hasUnsent)
    #expect(socket.unsentByteCount < 64 * 100_004, "the socket took nothing")
    var received: [String] = []
    while received.count < texts.count {
      switch peer.receive() {
      case .bytes: while let text = try nextText(peer) { received.append(text) }
      case .wouldBlock: socket.flush()
      case .end, .failed: throw Unmet("the connection ended")
      }
    }
    #expect(received == texts)
    #expect(!socket.hasUnsent)
    #expect(socket.unsentByteCount == 0)
    #expect(peer.receive() == .wouldBlock)
  }

  @Test("after the peer shuts down its input, each request has arrived or is known as unsent")
  func unsentRequests() throws {
    var pair = try UnixSocket.pair()
    let socket = FrameSocket(pair.takeFirst())
    let peer = pair.takeSecond()
    let size = [100_000, 20, 3_000]
    for number in 1...300 {
      let params = RawJSON(
        unchecked: [UInt8(ascii: "[")] + .init(repeating: 32, count: size[number % 3]) + [
          UInt8(ascii: "]")
        ])
      socket.write { writer in
        try? writer.request(.number(Int64(number)), method: "a/b") { $0.raw(params) }
      }
      socket.flush()
    }
    #expect(socket.hasUnsent)
    var decoder = FrameDecoder()
    var arrived: Set<Int64> = []
    let document = JSONDocument()
    var room = ContiguousArray<UInt8>(repeating: 0, count: 70_000)
    func read() throws -> Bool {
      guard case .bytes(let count) = room.withUnsafeMutableBytes({ peer.receive(into: $0) })
      else { return false }
      try decoder.decode(room.span.extracting(..<count)) { content in
        if case .request(.number(let number)?, _, _)? = try? Envelope(content, into: document) {
          arrived.insert(number)
        }
        return true
      }
      return true
    }
    for _ in 1...20 where try read() { socket.flush() }
    peer.endReceiving()
    while try read() {}
    socket.flush()
    #expect(socket.isBroken)
    #expect(!socket.hasUnsent)
    #expect(!arrived.isEmpty)
    #expect(arrived.isDisjoint(with: socket.unsentRequests))
    #expect(arrived.union(socket.unsentRequests) == Set(1...300))
  }

  @Test("a request without its last byte is known as unsent")
  func requestWithoutEnd() throws {
    let bytes = ContiguousArray<UInt8>(repeating: 0, count: 1 << 20)
    socket.write(bytes: bytes[...])
    socket.flush()
    let taken = bytes.count - socket.unsentByteCount
    // A second socket takes as many bytes.
    var pair = try UnixSocket.pair()
    let second = FrameSocket(pair.takeFirst())
    let peer = pair.takeSecond()
    func request(spaces: Int) throws -> ContiguousArray<UInt8> {
      var writer = FrameWriter()
      let spaces = String(repeating: " ", count: spaces)
      try writer.request(.number(1), method: "a/b") {
        $0.raw(RawJSON(unchecked: .init("[\(spaces)]".utf8)))
      }
      return ContiguousArray(writer.take())
    }
    let first = try request(spaces: taken + 1 - request(spaces: 0).count)
    second.write(bytes: first[...])
    second.write(bytes: bytes.dropFirst(first.count))
    second.flush()
    try #require(first.count == taken + 1)
    try #require(bytes.count - second.unsentByteCount == taken)
    #expect(second.unsentRequests == [1])
    withExtendedLifetime(peer) {}
  }

  @Test("output that is added behind unsent output keeps its order")
  func order() throws {
    let long = String(repeating: "x", count: 4 << 20)
    socket.write(bytes: Array(frame(long))[...])
    socket.flush()
    socket.write { $0.answer(.number(1), Empty()) }
    socket.write(bytes: Array(frame("last"))[...])
    #expect(socket.hasUnsent)
    var received: [Int] = []
    while received.count < 3 {
      socket.flush()
      _ = peer.receive()
      while let frame = try peer.nextFrame() { received.append(frame.count) }
    }
    #expect(received == [4 << 20, #"{"jsonrpc":"2.0","id":1,"result":{}}"#.utf8.count, 4])
  }

  @Test("a flush with a deadline gives up when the peer does not read, and keeps the rest")
  func deadline() throws {
    socket.write(bytes: Array(frame(String(repeating: "x", count: 8 << 20)))[...])
    #expect(try !socket.flush(until: 0))
    #expect(socket.hasUnsent)
    #expect(!socket.isBroken)
    var received: Int?
    while received == nil {
      socket.flush()
      _ = peer.receive()
      received = try peer.nextFrame()?.count
    }
    #expect(received == 8 << 20)
  }

  @Test("a peer that has closed the connection is no error, and its last message can be read")
  func closedPeer() throws {
    var pair = try UnixSocket.pair()
    let socket = FrameSocket(pair.takeFirst())
    do {
      let peer = FrameSocket(pair.takeSecond())
      peer.write(bytes: Array(frame("the reason"))[...])
      #expect(try peer.flush(until: nil))
    }
    socket.write(bytes: Array(frame("too late"))[...])
    #expect(try socket.flush(until: nil))
    #expect(socket.isBroken)
    #expect(!socket.hasUnsent)
    guard case .bytes = socket.receive() else { throw Unmet("nothing was received") }
    #expect(try nextText(socket) == "the reason")
    #expect(try socket.nextFrame() == nil)
    #expect(socket.receive() == .end)
  }

  @Test("any other error of a send is thrown, and the output is discarded")
  func sendError() throws {
    var pipe = try FileDescriptor.pipe()
    let socket = FrameSocket(pipe.takeSecond())
    socket.write(bytes: Array(frame("to no socket"))[...])
    let error = #expect(throws: SystemError.self) { try socket.flush(until: nil) }
    #expect(error?.call == "send")
    #expect(error?.code == .notASocket)
    #expect(socket.isBroken)
    #expect(!socket.hasUnsent)
  }

  // MARK: - Receiving

  @Test("a frame is complete when its last byte has arrived", arguments: [1, 3, 7])
  func pieces(size: Int) throws {
    let bytes = Array(frame("in pieces") + frame("and one more"))
    var texts: [String] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      try send(bytes[start..<min(start + size, bytes.count)])
      #expect(socket.receive() == .bytes(min(size, bytes.count - start)))
      while let text = try nextText(socket) { texts.append(text) }
      let arrived = min(start + size, bytes.count)
      #expect(texts.count == (arrived == bytes.count ? 2 : arrived >= 13 ? 1 : 0))
    }
    #expect(texts == ["in pieces", "and one more"])
  }

  @Test("frames that arrive together are taken one by one, and the wait is over at once")
  func together() throws {
    try send(frame("1") + frame("2") + frame("3"))
    #expect(try socket.waitReadable())
    #expect(socket.receive() == .bytes(15))
    #expect(try (0..<4).map { _ in try nextText(socket) } == ["1", "2", "3", nil])
    #expect(try !socket.waitReadable(nanoseconds: 0))
    #expect(socket.receive() == .wouldBlock)
  }

  @Test("frames that arrived before the end are taken, and half a frame is not")
  func end() throws {
    try send(frame("whole") + frame("half").dropLast(2))
    try peer.endSending()
    #expect(socket.receive() == .bytes(15))
    #expect(socket.receive() == .end)
    #expect(try nextText(socket) == "whole")
    #expect(try socket.nextFrame() == nil)
  }

  @Test("bytes that are no frame are an error behind the last frame")
  func invalid() throws {
    try send(frame("valid") + [9, 9, 9, 9])
    guard case .bytes = socket.receive() else { throw Unmet("nothing was received") }
    #expect(try nextText(socket) == "valid")
    for _ in 0..<2 {
      #expect(throws: FrameError.reservedByteSet(9)) { try socket.nextFrame() }
    }
    try send(frame("after the error"))
    _ = socket.receive()
    #expect(throws: FrameError.reservedByteSet(9)) { try socket.nextFrame() }
  }

  // MARK: - The observer

  @Test("the observer receives each whole frame once, when it is sent or taken")
  func observed() throws {
    var seen: [String] = []
    socket.onFrame = { seen.append("\($0) \(String(decoding: $1, as: UTF8.self))") }
    socket.write(bytes: Array(frame("a") + frame("b"))[...])
    socket.write(bytes: Array(frame("half").dropLast())[...])
    socket.flush()
    socket.flush()
    try send(frame("c") + frame("d"))
    _ = socket.receive()
    #expect(seen == ["sent a", "sent b"])
    _ = try socket.nextFrame()
    #expect(seen == ["sent a", "sent b", "received c"])
  }
}
