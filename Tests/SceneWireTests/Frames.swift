import SceneJSON
import SceneModel
import SceneWire
import Testing

typealias Bytes = ContiguousArray<UInt8>

/// A frame with any content.
func frame(_ content: Bytes) -> Bytes {
  let count = content.count
  return [0, UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)] + content
}

func frame(_ text: String) -> Bytes { frame(Bytes(text.utf8)) }

func copy(_ span: Span<UInt8>) -> Bytes {
  var bytes: Bytes = []
  bytes.reserveCapacity(span.count)
  for index in span.indices { bytes.append(span[index]) }
  return bytes
}

extension FrameDecoder {
  /// The frames in `bytes`.
  mutating func frames(in bytes: Bytes) throws(FrameError) -> [Bytes] {
    var frames: [Bytes] = []
    try decode(bytes.span) { content in
      frames.append(copy(content))
      return true
    }
    return frames
  }
}

/// A line that describes the content of a frame.
func envelope(_ text: String) -> String { envelope(Bytes(text.utf8)) }

func envelope(_ content: Bytes) -> String {
  let document = JSONDocument()
  do throws(EnvelopeError) {
    switch try Envelope(content.span, into: document) {
    case .request(let identifier, let method, let params):
      let parts = [
        "request", identifier.map(name), method.string, params.map { $0.raw.description },
      ]
      return parts.compactMap { $0 }.joined(separator: " ")
    case .result(let identifier, let result): return "result \(name(identifier)) \(result.raw)"
    case .failure(let identifier, let error): return "failure \(name(identifier)) \(error.raw)"
    }
  } catch {
    let identifier = error.identifier.map { "\(name($0)) " } ?? ""
    return "\(error.error.reason.name) \(identifier)\(error.error.message)"
  }
}

private func name(_ identifier: RequestIdentifier) -> String {
  switch identifier {
  case .number(let number): "\(number)"
  case .string(let string): "'\(string)'"
  }
}
