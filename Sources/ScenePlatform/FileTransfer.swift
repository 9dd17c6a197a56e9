#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FileDescriptor {
  /// Reads what is there now, at most as much as the buffer holds; 0 is the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    let number = self.number
    return try check("read") { readSome(number, buffer) }
  }

  /// Reads what is there now, without waiting where the descriptor is nonblocking.
  package func readAvailable(into buffer: UnsafeMutableRawBufferPointer) -> ReceiveOutcome {
    ScenePlatform.readAvailable(number, into: buffer)
  }

  /// Reads from the current place to the end; more than `limit` bytes is an error.
  package func readToEnd(limit: Int = .max) throws(SystemError) -> ContiguousArray<UInt8> {
    var bytes = ContiguousArray<UInt8>()
    let expected = (try? status().size) ?? 0
    bytes.reserveCapacity(Int(min(expected, Int64(limit), 1 << 24)))
    var chunk = ContiguousArray<UInt8>(repeating: 0, count: 64 << 10)
    while true {
      let count = try chunk.withBytes { (buffer) throws(SystemError) in
        try read(into: buffer)
      }
      if count == 0 { return bytes }
      guard count <= limit - bytes.count else {
        throw SystemError(
          call: "read", code: .fileTooLarge, note: "more than the \(limit) bytes allowed")
      }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// Fills the buffer from this place of the file on; fewer bytes only at the file's end.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(SystemError) -> Int {
    let number = self.number
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let place = off_t(offset) + off_t(done)
      let count = try check("pread") { pread(number, rest.baseAddress, rest.count, place) }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// The bytes from this place of the file on; fewer only at the file's end.
  package func read(at offset: Int64, count: Int) throws(SystemError) -> ContiguousArray<UInt8> {
    var bytes = ContiguousArray<UInt8>(repeating: 0, count: count)
    let done = try bytes.withBytes { (buffer) throws(SystemError) in
      try read(into: buffer, at: offset)
    }
    bytes.removeLast(count - done)
    return bytes
  }

  /// Writes all the bytes; waits where the descriptor would block.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    try writeAll(bytes, to: number)
  }

  /// Writes all the bytes; waits where the descriptor would block.
  package func write(_ bytes: RawSpan) throws(SystemError) {
    try bytes.withUnsafeBytes { (buffer) throws(SystemError) in try write(buffer) }
  }

  /// Writes what is taken at once, where the descriptor is nonblocking.
  package func writeAvailable(_ bytes: UnsafeRawBufferPointer) -> SendOutcome {
    let number = self.number
    let count = retrying { writeSome(number, bytes) }
    if count >= 0 { return .bytes(count) }
    let code = ErrorCode.last
    return code.isWouldBlock ? .wouldBlock : .failed(code)
  }

  /// Writes the text as far as it is taken at once; tells whether all of it was.
  package func offer(_ text: String) -> Bool { offerAll(text, to: number, patience: 0) }

  /// Writes all the text; waits where the descriptor would block.
  package func write(_ text: String) throws(SystemError) {
    try writeAll(text, to: number)
  }

  /// Writes all the bytes at this place of the file, in one call where the system takes it so.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
    let number = self.number
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let place = off_t(offset) + off_t(done)
      done += try check("pwrite") { pwrite(number, rest.baseAddress, rest.count, place) }
    }
  }

  /// Writes all the bytes at this place of the file.
  package func write(_ bytes: RawSpan, at offset: Int64) throws(SystemError) {
    try bytes.withUnsafeBytes { (buffer) throws(SystemError) in try write(buffer, at: offset) }
  }
}

/// Reads from a descriptor that may belong to somebody else.
func readAvailable(_ number: Int32, into buffer: UnsafeMutableRawBufferPointer) -> ReceiveOutcome {
  precondition(!buffer.isEmpty, "a read into nothing looks like the end")
  let count = retrying { readSome(number, buffer) }
  if count > 0 { return .bytes(count) }
  if count == 0 { return .end }
  let code = ErrorCode.last
  return code.isWouldBlock ? .wouldBlock : .failed(code)
}

/// Writes all the bytes to a descriptor that may belong to somebody else, waiting where it blocks.
func writeAll(_ bytes: UnsafeRawBufferPointer, to number: Int32) throws(SystemError) {
  var done = 0
  while done < bytes.count {
    let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
    let count = retrying { writeSome(number, rest) }
    if count >= 0 {
      done += count
    } else if ErrorCode.last.isWouldBlock {
      try waitUntilReady(number, POLLOUT)
    } else {
      throw SystemError("write")
    }
  }
}

/// Writes all the text, in one call where the system takes it so.
func writeAll(_ text: String, to number: Int32) throws(SystemError) {
  var bytes = ContiguousArray(text.utf8)
  try bytes.withBytes { (buffer) throws(SystemError) in
    try writeAll(UnsafeRawBufferPointer(buffer), to: number)
  }
}

/// Writes the text in pieces that a pipe with any room takes at once; tells whether all of it was
/// taken. Where nobody reads any more there is nobody to wait for.
func offerAll(_ text: String, to number: Int32, patience: Int64) -> Bool {
  ContiguousArray(text.utf8).withUnsafeBytes { buffer in
    var rest = buffer
    while !rest.isEmpty {
      guard (try? waitUntilReady(number, POLLOUT, nanoseconds: patience)) == true else {
        return false
      }
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(PIPE_BUF)))
      let count = retrying { writeSome(number, piece) }
      guard count > 0 else { return !ErrorCode.last.isWouldBlock }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return true
  }
}

private func readSome(_ number: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(number, buffer.baseAddress, buffer.count)
}

private func writeSome(_ number: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(number, bytes.baseAddress, bytes.count)
}
