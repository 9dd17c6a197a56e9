import CScenePlatform

/// The CRC-32C instruction of the processor, ten times faster than a table.
package enum ProcessorChecksum {
  /// Whether this processor has the instruction.
  package static let isAvailable = platform_has_crc32c() != 0

  /// Adds `bytes` to the inverted checksum. Requires `isAvailable`.
  package static func crc32c(_ state: UInt32, adding bytes: Span<UInt8>) -> UInt32 {
    bytes.withUnsafeBufferPointer { platform_crc32c(state, $0.baseAddress, $0.count) }
  }
}
