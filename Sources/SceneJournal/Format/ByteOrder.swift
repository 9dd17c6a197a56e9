// Numbers are little-endian.

extension ContiguousArray<UInt8> {
  mutating func appendInteger<Integer: FixedWidthInteger>(_ value: Integer) {
    for shift in stride(from: 0, to: Integer.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func setInteger<Integer: FixedWidthInteger>(_ value: Integer, at index: Int) {
    for byte in 0..<Integer.bitWidth / 8 {
      self[index + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte))
    }
  }
}

extension Span<UInt8> {
  func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    at index: Int, as type: Integer.Type
  ) -> Integer {
    let raw = unsafe bytes
    return unsafe Integer(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: type))
  }
}
