/// A reusable buffer for reads.
package final class InputBuffer {
  package let bytes: UnsafeMutableRawBufferPointer

  package init(byteCount: Int = 1 << 16) {
    bytes = .allocate(byteCount: byteCount, alignment: 16)
  }

  deinit { bytes.deallocate() }

  /// Passes the first `count` bytes to `body`.
  package func withSpan<Result, Failure: Error>(
    of count: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: bytes[..<count])))
  }
}
