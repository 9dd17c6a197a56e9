extension JSONValue {
  /// The value of an integer literal, without fraction and exponent, if it fits 64 bits.
  package var integer: Int64? {
    let entry = entry
    guard entry.tag == .number, !entry.isComplex else { return nil }
    return withRawBytes { integerValue(of: $0) }
  }

  /// The rounded value of any number; nil if it is not finite.
  package var double: Double? {
    let entry = entry
    guard entry.tag == .number else { return nil }
    if let integer, integer != 0, let exact = Double(exactly: integer) { return exact }
    return withRawBytes { bytes in
      let text = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
      return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
  }
}

/// The value of a checked integer literal, if it fits.
private func integerValue(of bytes: Span<UInt8>) -> Int64? {
  let isNegative = bytes[0] == Byte.minus
  // 19 digits fit 64 bits without a sign; there are no leading zeros.
  guard bytes.count <= (isNegative ? 20 : 19) else { return nil }
  var magnitude: UInt64 = 0
  for index in (isNegative ? 1 : 0)..<bytes.count {
    magnitude = magnitude &* 10 &+ UInt64(bytes[index] &- Byte.zero)
  }
  if isNegative {
    return magnitude <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
  }
  return Int64(exactly: magnitude)
}
