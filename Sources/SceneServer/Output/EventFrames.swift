import SceneBroker
import SceneModel
import SceneWire

/// Encodes each event once. The outboxes of all observers refer to the same bytes.
///
/// The frames of successive events of a topic are in one buffer, so that one system call can send
/// them without a copy.
struct EventFrames {
  private var buffer = OutputBuffer()
  /// The topic of the frames in the buffer, and the origin of their positions.
  private var topic = ""
  private var origin = ""
  /// The frames in the buffer, by the number of the event.
  private var frames: [Int64: (range: Range<Int>, paramsOffset: Int)] = [:]
  private(set) var encodingCount = 0

  /// A slow reader keeps a whole buffer, so its length is limited.
  private static let byteLimit = 1 << 16

  /// The frame of an event without a gap.
  mutating func frame(of delivery: borrowing EventDelivery) -> EventFrame {
    let position = delivery.position
    if position.origin != origin || delivery.event.topic != topic
      || buffer.writer.count > Self.byteLimit
    {
      beginBuffer()
      (topic, origin) = (delivery.event.topic, position.origin)
    }
    let (range, paramsOffset) = frames[position.number] ?? encode(delivery)
    return EventFrame(buffer: buffer, range: range, paramsOffset: paramsOffset)
  }

  private mutating func encode(
    _ delivery: borrowing EventDelivery
  ) -> (range: Range<Int>, paramsOffset: Int) {
    encodingCount += 1
    let begin = buffer.writer.count
    let paramsOffset = buffer.writer.event(EventPosted(delivery.event, at: delivery.position))
    let frame = (begin..<buffer.writer.count, paramsOffset)
    frames[delivery.position.number] = frame
    return frame
  }

  /// Begins a new buffer. An outbox may still need the old one.
  private mutating func beginBuffer() {
    frames.removeAll(keepingCapacity: true)
    if isKnownUniquelyReferenced(&buffer), buffer.writer.capacity <= 4 * Self.byteLimit {
      buffer.writer.removeAll()
    } else {
      buffer = OutputBuffer()
    }
  }
}

/// The encoded form of an event.
struct EventFrame {
  let buffer: OutputBuffer
  /// The frame for the observation of a connection.
  let range: Range<Int>
  /// The offset of the first parameter. The frame for the observation of a scene has a beginning of
  /// its own, and the same bytes from here on.
  let paramsOffset: Int
}
