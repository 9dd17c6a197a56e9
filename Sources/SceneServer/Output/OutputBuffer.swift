import SceneWire

/// A writer and its memory. An outbox has one while it is not empty.
final class OutputBuffer {
  @exclusivity(unchecked)
  var writer = FrameWriter()
}

/// Empty buffers for all outboxes, so that an idle connection has none.
struct BufferPool {
  private var buffers: [OutputBuffer] = []

  mutating func take() -> OutputBuffer { buffers.popLast() ?? OutputBuffer() }

  mutating func give(_ buffer: OutputBuffer) {
    guard buffers.count < 64, buffer.writer.capacity <= 1 << 16 else { return }
    buffer.writer.removeAll()
    buffers.append(buffer)
  }
}
