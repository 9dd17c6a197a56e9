import SceneBroker
import SceneModel
import ScenePlatform
import SceneWire
import Testing

@testable import SceneServer

@Suite("The input of a connection")
struct ConnectionInputTests {
  private func bytes(_ count: Int) -> ContiguousArray<UInt8> {
    ContiguousArray(repeating: 7, count: count)
  }

  /// Decodes the bytes, and returns the change of the frame timer.
  private func decode(
    _ bytes: ContiguousArray<UInt8>, by input: inout ConnectionInput
  ) throws -> ConnectionInput.FrameTimerChange {
    var hasCompletedFrame = false
    var decoder = input.takeDecoder()
    try decoder.decode(bytes.span) { _ in
      hasCompletedFrame = true
      return true
    }
    input.putBack(decoder)
    return input.changeFrameTimer(hasCompletedFrame: hasCompletedFrame)
  }

  @Test("each incomplete frame has a timer of its own")
  func frameTimer() throws {
    var input = ConnectionInput(frameLimit: 100)
    let (whole, begin): (ContiguousArray<UInt8>, ContiguousArray<UInt8>) = (
      [0, 0, 0, 1, 7], [0, 0, 0, 2, 7]
    )
    #expect(try decode(whole, by: &input) == .none)
    #expect(try decode(begin, by: &input) == .start)
    #expect(input.byteCount == 5 && input.missingByteCount == 1)
    #expect(try decode([], by: &input) == .none, "the timer runs on")
    #expect(try decode([7] + begin, by: &input) == .start, "another frame has begun")
    #expect(try decode([7], by: &input) == .stop)
    #expect(try decode(whole, by: &input) == .none)
  }

  @Test("held bytes count, and come out once")
  func held() {
    var input = ConnectionInput(frameLimit: 100)
    for count in [2, 3] { input.hold(bytes(count).span) }
    #expect(input.byteCount == 5)
    #expect(input.takeHeld() == bytes(5))
    #expect(input.byteCount == 0 && input.takeHeld().isEmpty)
  }

  @Test("the bytes of an incomplete frame are dropped with the held ones")
  func dropped() throws {
    var input = ConnectionInput(frameLimit: 100)
    _ = try decode([0, 0, 0, 2, 7], by: &input)
    input.hold(bytes(3).span)
    #expect(input.byteCount == 8)
    input.removeAll()
    #expect(input.byteCount == 0 && input.missingByteCount == 0)
  }

  @Test("after a read that fills its room, the socket may have more input in this iteration")
  func fullRead() throws {
    var sockets = try UnixSocket.pair()
    let peer = sockets.takeSecond()
    let connection = Connection(
      ConnectionIdentifier(1), process: ClientProcess(pid: 1, startTime: 7),
      descriptor: sockets.takeFirst(), frameLimit: 100)
    let sent = peer.send(bytes(6).span.bytes)
    try #require(sent == .bytes(6))
    let buffer = InputBuffer(byteCount: 4)
    for (iteration, expected) in [(UInt64(1), 4), (2, 2)] {
      #expect(connection.receive(into: buffer.bytes, in: iteration) == .bytes(expected))
      #expect(connection.input.mayBeUnread(in: iteration) == (expected == 4))
    }
  }

  @Test("much input makes a connection busy until its next input")
  func busy() {
    var input = ConnectionInput(frameLimit: 100)
    for (count, isBusy) in [(Share.busyInput, true), (Share.busyInput - 1, false)] {
      input.begin(byteCount: count)
      #expect(input.isBusy == isBusy)
    }
    input.markBusy()
    #expect(input.isBusy)
  }
}

@Suite("The watch over a socket")
struct SocketWatchTests {
  @Test("the poller reports room only for a full socket, and input only while the loop reads")
  func interest() {
    var watch = SocketWatch()
    let wanted = [
      watch.update(isFull: false, isPaused: false), watch.update(isFull: true, isPaused: false),
      watch.update(isFull: true, isPaused: true), watch.update(isFull: true, isPaused: true),
      watch.update(isFull: false, isPaused: false),
    ]
    #expect(wanted == [nil, [.readable, .writable], .writable, nil, .readable])
  }

  @Test("a socket that has ended is not read again, and is still watched for room")
  func ended() {
    var watch = SocketWatch()
    _ = watch.update(isFull: true, isPaused: false)
    #expect(watch.end() == .writable)
    #expect(watch.hasEnded)
    #expect(watch.update(isFull: false, isPaused: false) == PollInterest([]))
  }
}
