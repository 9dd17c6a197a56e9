/// One file of a ``SimulatedDisk``: what a process sees, and what a power cut leaves of it.
struct SimulatedFileState: Sendable {
  static let sectorByteCount = 512

  /// What a process sees.
  private(set) var bytes: ContiguousArray<UInt8>
  /// What is on the disk for sure.
  private var durable: ContiguousArray<UInt8>
  /// The sectors written and not yet synced.
  private var dirty: Set<Int> = []
  /// The sectors that a failed sync left different from the disk though they count as clean.
  private var lost: Set<Int> = []

  /// A new file; its length is durable when it is synced.
  init(byteCount: Int) {
    bytes = []
    bytes.growWithZeros(to: byteCount)
    durable = []
  }

  /// A file that is on the disk.
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

  /// Word by word: there are very many zeros, and tests are built without optimization.
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

  /// The disk learns of it in its own time.
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

  /// What is not synced is kept, dropped, zeroed or garbled, each sector by itself.
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

  /// Puts what a process sees on the disk, as far as the file is that long there.
  private mutating func keep(_ sector: Int) {
    let range = range(of: sector, in: min(durable.count, bytes.count))
    durable.overwrite(at: range.lowerBound, with: bytes[range])
  }

  private func range(of sector: Int, in byteCount: Int) -> Range<Int> {
    let start = min(sector * Self.sectorByteCount, byteCount)
    return start..<min(start + Self.sectorByteCount, byteCount)
  }
}

/// Copied from, because without optimization an array is filled byte by byte.
private let zeros = ContiguousArray<UInt8>(repeating: 0, count: 1 << 16)

// In bulk, because the tests make hundreds of thousands of these without optimization.
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
