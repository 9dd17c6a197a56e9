import ScenePlatform

/// The checksum of everything the journal writes: CRC-32C, the Castagnoli polynomial, reflected.
///
/// A start checks every live byte, so the speed matters. Without the processor's instruction, the
/// code processes 16 bytes in each step, with one table for each byte ("slicing by 16").
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
      addByTables(bytes)
    }
  }

  /// Adds `bytes` without the processor's instruction.
  mutating func addByTables(_ bytes: Span<UInt8>) {
    let tables = Self.tables.span
    let raw = unsafe bytes.bytes
    var crc = state
    var index = 0
    while bytes.count - index >= 16 {
      let first = unsafe raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
      let second = unsafe raw.unsafeLoadUnaligned(fromByteOffset: index + 8, as: UInt64.self)
      crc =
        Self.fold(first.littleEndian ^ UInt64(crc), through: tables, from: 8)
        ^ Self.fold(second.littleEndian, through: tables, from: 0)
      index += 16
    }
    while index < bytes.count {
      crc = crc >> 8 ^ tables[Int(UInt8(truncatingIfNeeded: crc) ^ bytes[index])]
      index += 1
    }
    state = crc
  }

  /// Continues the checksum with the eight bytes of `number`, the lowest first.
  mutating func add(_ number: UInt64) {
    if ProcessorChecksum.isAvailable {
      state = ProcessorChecksum.crc32c(state, adding: number)
      return
    }
    var crc = state
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      let byte = UInt8(truncatingIfNeeded: number >> shift)
      crc = crc >> 8 ^ Self.tables[Int(UInt8(truncatingIfNeeded: crc) ^ byte)]
    }
    state = crc
  }

  /// The contribution of eight bytes that `first` more bytes follow.
  ///
  /// In bounds: `first` is 0 or 8, so index < 16 × 256.
  @inline(__always)
  private static func fold(
    _ word: UInt64, through tables: Span<UInt32>, from first: Int
  ) -> UInt32 {
    let base = first << 8
    let low =
      unsafe tables[unchecked: base + 0x700 + Int(word & 0xFF)]
      ^ tables[unchecked: base + 0x600 + Int(word >> 8 & 0xFF)]
      ^ tables[unchecked: base + 0x500 + Int(word >> 16 & 0xFF)]
      ^ tables[unchecked: base + 0x400 + Int(word >> 24 & 0xFF)]
    let high =
      unsafe tables[unchecked: base + 0x300 + Int(word >> 32 & 0xFF)]
      ^ tables[unchecked: base + 0x200 + Int(word >> 40 & 0xFF)]
      ^ tables[unchecked: base + 0x100 + Int(word >> 48 & 0xFF)]
      ^ tables[unchecked: base + Int(word >> 56)]
    return low ^ high
  }

  /// Table `t`, at `t * 256`: the contribution of a byte that `t` more bytes follow.
  private static let tables: ContiguousArray<UInt32> = {
    var tables = ContiguousArray<UInt32>(repeating: 0, count: 16 * 256)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 {
        crc = crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1
      }
      tables[byte] = crc
    }
    for index in 256..<tables.count {
      let previous = tables[index - 256]
      tables[index] = previous >> 8 ^ tables[Int(previous & 0xFF)]
    }
    return tables
  }()
}
