import ScenePlatform

/// The checksum of everything the journal writes: CRC-32C, the Castagnoli polynomial, reflected.
///
/// A start checks every live byte, so the code uses the processor's instruction. A processor
/// without it needs several times as long.
struct CRC32C: Equatable {
  private var state: UInt32 = 0xFFFF_FFFF

  /// The checksum of the bytes added so far.
  var value: UInt32 { ~state }

  /// The checksum of `bytes` alone.
  static func of(_ bytes: Span<UInt8>) -> UInt32 {
    var checksum = CRC32C()
    checksum.add(bytes)
    return checksum.value
  }

  /// Continues the checksum with `bytes`.
  mutating func add(_ bytes: Span<UInt8>) {
    if ProcessorChecksum.isAvailable {
      state = ProcessorChecksum.crc32c(state, adding: bytes)
    } else {
      addByTable(bytes)
    }
  }

  /// Adds `bytes` without the processor's instruction.
  mutating func addByTable(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      state = state >> 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: state) ^ bytes[index])]
    }
  }

  /// Continues the checksum with the eight bytes of `number`, the lowest first.
  mutating func add(_ number: UInt64) {
    unsafe withUnsafeBytes(of: number.littleEndian) { add(unsafe Span(_unsafeBytes: $0)) }
  }

  /// The contribution of each byte.
  private static let table = ContiguousArray((UInt32(0)..<256).map(contribution))

  private static func contribution(of byte: UInt32) -> UInt32 {
    var crc = byte
    for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0x82F6_3B78 : crc >> 1 }
    return crc
  }
}
