/// Repeats a call while signals interrupt it.
func retrying<Result: FixedWidthInteger & SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// Throws the error of `errno` if the call returns -1.
@discardableResult
func check<Result: FixedWidthInteger & SignedInteger>(
  _ call: String, _ path: String? = nil, _ body: () -> Result
) throws(SystemError) -> Result {
  let result = retrying(body)
  if result == -1 { throw SystemError(call, path) }
  return result
}

/// Checks a function that returns its error code instead of setting `errno`.
func checkCode(_ call: String, _ path: String? = nil, _ code: Int32) throws(SystemError) {
  if code != 0 { throw SystemError(call: call, path: path, code: ErrorCode(rawValue: code)) }
}

extension ContiguousArray<UInt8> {
  /// Like `withUnsafeMutableBytes`, with typed throws.
  mutating func withBytes<Result>(
    _ body: (UnsafeMutableRawBufferPointer) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    try withUnsafeMutableBufferPointer { (buffer) throws(SystemError) in
      try body(UnsafeMutableRawBufferPointer(buffer))
    }
  }
}
