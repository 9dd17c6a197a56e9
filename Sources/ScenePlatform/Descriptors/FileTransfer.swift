extension FileDescriptor {
  /// Reads the available bytes, at most the size of the buffer; 0 at the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    return try check("read") {
      ScenePlatform.read(number, buffer.baseAddress, buffer.count)
    }
  }

  /// Reads the available bytes. Waits only if the descriptor is blocking.
  package func readAvailable(into buffer: UnsafeMutableRawBufferPointer) -> ReceiveOutcome {
    ScenePlatform.readAvailable(number, into: buffer)
  }

  /// Reads from the current offset to the end. Throws if there are more than `limit` bytes.
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
          call: "read", code: .fileTooLarge, note: "the limit is \(limit) bytes")
      }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// Fills the buffer from `offset` on. Returns fewer bytes only at the end of the file.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(SystemError) -> Int {
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

  /// Reads `count` bytes from `offset` on; fewer only at the end of the file.
  package func read(at offset: Int64, count: Int) throws(SystemError) -> ContiguousArray<UInt8> {
    var bytes = ContiguousArray<UInt8>(repeating: 0, count: count)
    let done = try bytes.withBytes { (buffer) throws(SystemError) in
      try read(into: buffer, at: offset)
    }
    bytes.removeLast(count - done)
    return bytes
  }

  /// Writes all bytes. Waits until the descriptor accepts them.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    try writeAll(bytes, to: number)
  }

  /// Writes all bytes. Waits until the descriptor accepts them.
  package func write(_ bytes: RawSpan) throws(SystemError) {
    try bytes.withUnsafeBytes { (buffer) throws(SystemError) in try write(buffer) }
  }

  /// Writes the bytes that the descriptor accepts now. Waits only if the descriptor is blocking.
  package func writeAvailable(_ bytes: UnsafeRawBufferPointer) -> SendOutcome {
    return SendOutcome(
      retrying { ScenePlatform.write(number, bytes.baseAddress, bytes.count) })
  }

  /// Writes all of the text. Waits until the descriptor accepts it.
  package func write(_ text: String) throws(SystemError) {
    try writeAll(text, to: number)
  }

  /// Writes all bytes at `offset`, with one call if possible.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let place = off_t(offset) + off_t(done)
      done += try check("pwrite") { pwrite(number, rest.baseAddress, rest.count, place) }
    }
  }

  /// Writes all bytes at `offset`.
  package func write(_ bytes: RawSpan, at offset: Int64) throws(SystemError) {
    try bytes.withUnsafeBytes { (buffer) throws(SystemError) in try write(buffer, at: offset) }
  }
}

/// Reads from a descriptor that this process may share.
func readAvailable(_ number: Int32, into buffer: UnsafeMutableRawBufferPointer) -> ReceiveOutcome {
  precondition(!buffer.isEmpty, "the buffer must not be empty")
  return ReceiveOutcome(retrying { read(number, buffer.baseAddress, buffer.count) })
}

/// Writes all bytes to a descriptor that this process may share. Waits until it accepts them.
func writeAll(_ bytes: UnsafeRawBufferPointer, to number: Int32) throws(SystemError) {
  var done = 0
  while done < bytes.count {
    let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
    let count = retrying { write(number, rest.baseAddress, rest.count) }
    if count >= 0 {
      done += count
    } else if ErrorCode.last.isWouldBlock {
      try waitUntilReady(number, POLLOUT)
    } else {
      throw SystemError("write")
    }
  }
}

/// Writes all of the text, with one call if possible.
func writeAll(_ text: String, to number: Int32) throws(SystemError) {
  var bytes = ContiguousArray(text.utf8)
  try bytes.withBytes { (buffer) throws(SystemError) in
    try writeAll(UnsafeRawBufferPointer(buffer), to: number)
  }
}
