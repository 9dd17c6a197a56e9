/// One file of a ``SimulatedDisk``: the bytes that a process sees, and the bytes that a power cut
/// leaves.
struct SimulatedFileState: Sendable {
  static let sectorByteCount = 512

  /// The bytes that a process sees.
  private(set) var bytes: ContiguousArray<UInt8>
  /// The bytes that are certainly on the disk.
  private var durable: ContiguousArray<UInt8>
  /// The sectors that were written and not yet synced.
  private var dirty: Set<Int> = []
  /// The sectors that differ from the disk after a failed sync, although they count as clean.
  private var lost: Set<Int> = []

  /// A new file. Its length is durable after a sync.
  init(byteCount: Int) {
    bytes = []
    bytes.growWithZeros(to: byteCount)
    durable = []
  }

  /// A file that is already on the disk.
  init(durable: ContiguousArray<UInt8>) {
    bytes = durable
    self.durable = durable
  }

  mutating func write(_ part: ContiguousArray<UInt8>.SubSequence, at offset: Int) {
    if part.isEmpty { return }
    let end = offset + part.count
    bytes.growWithZeros(to: end)
    bytes.overwrite(at: offset, with: part)
    for sector in offset / Self.sectorByteCount...(end - 1) / Self.sectorByteCount {
      dirty.insert(sector)
      lost.remove(sector)
    }
  }

  /// Compares words, because there are very many zeros and tests are built without optimization.
  func firstNonzero(from offset: Int) -> Int? {
    bytes.withUnsafeBytes { bytes in
      var place = min(offset, bytes.count)
      while place + 8 <= bytes.count,
        bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) == 0
      {
        place += 8
      }
      while place < bytes.count, bytes[place] == 0 { place += 1 }
      return place < bytes.count ? place : nil
    }
  }

  /// Shortens the file for processes. On the disk the file becomes shorter later.
  mutating func shorten(to byteCount: Int) {
    bytes.removeLast(max(0, bytes.count - byteCount))
    let end = (byteCount + Self.sectorByteCount - 1) / Self.sectorByteCount
    dirty = dirty.filter { $0 < end }
    lost = lost.filter { $0 < end }
  }

  mutating func sync() {
    durable.resizeWithZeros(to: bytes.count)
    for sector in dirty { keep(sector) }
    dirty = []
  }

  mutating func loseDirtyPages(_ random: inout SeededGenerator) {
    durable.resizeWithZeros(to: bytes.count)
    for sector in dirty.sorted() { leaveToChance(sector, &random) }
    lost.formUnion(dirty)
    dirty = []
  }

  /// Chance decides for each unsynced sector: kept, dropped, zeroed or garbled.
  mutating func cutPower(_ random: inout SeededGenerator) {
    if bytes.count != durable.count && Bool.random(using: &random) {
      durable.resizeWithZeros(to: bytes.count)
    }
    for sector in dirty.sorted() { leaveToChance(sector, &random) }
    bytes = durable
    dirty = []
    lost = []
  }

  mutating func evictCleanPages(_ random: inout SeededGenerator) {
    for sector in lost.sorted() where Bool.random(using: &random) {
      let range = range(of: sector, in: durable.count)
      bytes.overwrite(at: range.lowerBound, with: durable[range])
      lost.remove(sector)
    }
  }

  private mutating func leaveToChance(_ sector: Int, _ random: inout SeededGenerator) {
    let range = range(of: sector, in: durable.count)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: keep(sector)
    case 1: break
    case 2: for index in range { durable[index] = 0 }
    default: for index in range { durable[index] = UInt8(truncatingIfNeeded: random.next()) }
    }
  }

  /// Copies a sector that a process sees to the disk, up to the length of the file on the disk.
  private mutating func keep(_ sector: Int) {
    let range = range(of: sector, in: min(durable.count, bytes.count))
    durable.overwrite(at: range.lowerBound, with: bytes[range])
  }

  private func range(of sector: Int, in byteCount: Int) -> Range<Int> {
    let start = min(sector * Self.sectorByteCount, byteCount)
    return start..<min(start + Self.sectorByteCount, byteCount)
  }
}

/// Tests are built without optimization, and a copy is then faster than filling an array byte by
/// byte.
private let zeros = ContiguousArray<UInt8>(repeating: 0, count: 1 << 16)

// Bulk operations: the tests call these hundreds of thousands of times, without optimization.
extension ContiguousArray<UInt8> {
  mutating func overwrite(at offset: Int, with part: ContiguousArray<UInt8>.SubSequence) {
    withUnsafeMutableBytes { target in
      part.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: $0)
      }
    }
  }

  fileprivate mutating func resizeWithZeros(to byteCount: Int) {
    removeLast(Swift.max(0, count - byteCount))
    growWithZeros(to: byteCount)
  }

  fileprivate mutating func growWithZeros(to byteCount: Int) {
    reserveCapacity(byteCount)
    while count < byteCount {
      append(contentsOf: zeros[..<Swift.min(zeros.count, byteCount - count)])
    }
  }
}
