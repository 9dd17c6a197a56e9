import CPlatform

/// The checksum CRC-32C as the processor computes it, ten times faster than a program can.
package enum ProcessorChecksum {
  /// Whether this processor has it.
  package static let isAvailable = platform_has_crc32c() != 0

  /// Continues the inverted checksum with `bytes`. Only where it is available.
  package static func crc32c(_ state: UInt32, adding bytes: Span<UInt8>) -> UInt32 {
    bytes.withUnsafeBufferPointer { platform_crc32c(state, $0.baseAddress, $0.count) }
  }

  /// Continues it with the eight bytes of `number`, the lowest first.
  package static func crc32c(_ state: UInt32, adding number: UInt64) -> UInt32 {
    withUnsafeBytes(of: number.littleEndian) { bytes in
      bytes.withMemoryRebound(to: UInt8.self) { platform_crc32c(state, $0.baseAddress, $0.count) }
    }
  }
}
