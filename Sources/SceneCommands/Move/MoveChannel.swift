import SceneCommandLine
package import SceneModel
package import ScenePlatform

/// An action on the connection to the other end, which both ends have.
package enum MoveChannelAction: Equatable, Sendable {
  case send(MoveLine)
  case readLine
  /// Give these paths to the user's command.
  case copyFiles([String])
}

/// An action of an end of the exchange.
package protocol MoveAction {
  static func channel(_ action: MoveChannelAction) -> Self
}

extension MoveAction {
  package static var readLine: Self { channel(.readLine) }
  package static func send(_ line: MoveLine) -> Self { channel(.send(line)) }
  package static func copyFiles(_ paths: [String]) -> Self { channel(.copyFiles(paths)) }
}

/// Why the exchange cannot continue.
package enum MoveChannelError: Error, Equatable, Sendable {
  /// The other end has closed the connection.
  case ended
  case timedOut
  /// The first line is not one of the exchange: a shell profile can have printed it.
  case foreign(String)
  case invalid(MemberError)
  case tooLong
  case failed(SystemError)
}

/// Splits received bytes into lines of the exchange.
package struct MoveLineBuffer: Sendable {
  private var bytes: ContiguousArray<UInt8> = []
  /// The bytes without a line feed.
  private var searched = 0
  private var isFirst = true

  package init() {}

  package mutating func append(_ new: Span<UInt8>) {
    for index in new.indices { bytes.append(new[index]) }
  }

  /// The next line; nil without a complete one.
  package mutating func next() throws(MoveChannelError) -> MoveLine? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      guard searched < MoveLine.byteLimit else { throw .tooLong }
      return nil
    }
    guard end < MoveLine.byteLimit else { throw .tooLong }
    let line = ContiguousArray(bytes[..<end])
    bytes.removeSubrange(...end)
    searched = 0
    guard !isFirst || line.first == UInt8(ascii: "{") else {
      throw .foreign(String(decoding: line, as: UTF8.self).clipped(to: 60))
    }
    isFirst = false
    do throws(MemberError) {
      return try MoveLine(line)
    } catch {
      throw .invalid(error)
    }
  }
}

/// Lines to and from the other end.
final class MoveChannel {
  private final class Output {
    let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
  }

  private let input: FileDescriptor
  private var output: Output?
  /// The longest wait for the other end, in nanoseconds; nil for none.
  private let timeout: Int64?
  private let buffer = InputBuffer()
  private var received = MoveLineBuffer()

  init(
    input: consuming FileDescriptor, output: consuming FileDescriptor, timeout: Int64?
  ) throws(SystemError) {
    self.input = input
    // A write must not wait longer than the timeout.
    if timeout != nil { try output.setNonblocking() }
    self.output = Output(output)
    self.timeout = timeout
  }

  /// Tells the other end that no line follows.
  func close() { output = nil }

  func read() throws(MoveChannelError) -> MoveLine {
    while true {
      if let line = try received.next() { return line }
      guard try waiting({ () throws(SystemError) in try input.waitReadable(nanoseconds: timeout) })
      else { throw .timedOut }
      switch input.readAvailable(into: buffer.bytes) {
      case .bytes(let count): buffer.withSpan(of: count) { received.append($0) }
      case .wouldBlock: continue
      case .end: throw .ended
      case .failed(let code): throw .failed(SystemError(call: "read", code: code))
      }
    }
  }

  func send(_ line: MoveLine) throws(MoveChannelError) {
    guard let output else { throw .ended }
    var bytes = line.bytes[...]
    while !bytes.isEmpty {
      switch bytes.withUnsafeBytes({ output.descriptor.writeAvailable($0) }) {
      case .bytes(let count): bytes = bytes.dropFirst(count)
      case .wouldBlock:
        guard
          try waiting({ () throws(SystemError) in
            try output.descriptor.waitWritable(nanoseconds: timeout)
          })
        else { throw .timedOut }
      case .failed(let code) where code == .brokenPipe: throw .ended
      case .failed(let code): throw .failed(SystemError(call: "write", code: code))
      }
    }
  }

  private func waiting(
    _ body: () throws(SystemError) -> Bool
  ) throws(MoveChannelError) -> Bool {
    do throws(SystemError) {
      return try body()
    } catch {
      throw .failed(error)
    }
  }
}
