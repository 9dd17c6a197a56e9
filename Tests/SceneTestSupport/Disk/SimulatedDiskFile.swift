/// One file of a ``SimulatedDisk``: the bytes that a process sees, and the bytes that are certainly
/// on the disk.
struct SimulatedFileState: Sendable {
  static let sectorByteCount = 512

  /// The bytes that a process sees.
  private(set) var bytes: ContiguousArray<UInt8>
  /// The bytes that are certainly on the disk.
  private(set) var durable: ContiguousArray<UInt8>
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

  /// Returns the written sectors as they are now, with their offsets.
  mutating func write(
    _ part: ContiguousArray<UInt8>.SubSequence, at offset: Int
  ) -> [(offset: Int, bytes: ContiguousArray<UInt8>.SubSequence)] {
    if part.isEmpty { return [] }
    let end = offset + part.count
    bytes.growWithZeros(to: end)
    bytes.overwrite(at: offset, with: part)
    return (offset / Self.sectorByteCount...(end - 1) / Self.sectorByteCount).map { sector in
      if !lost.isEmpty { lost.remove(sector) }
      let range = range(of: sector, in: bytes.count)
      guard offset <= range.lowerBound, range.upperBound <= end else {
        return (range.lowerBound, ContiguousArray(bytes[range])[...])
      }
      let start = part.startIndex - offset
      return (range.lowerBound, part[start + range.lowerBound..<start + range.upperBound])
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
    lost = lost.filter { $0 < end }
  }

  /// Makes all bytes durable except those of lost sectors.
  mutating func sync() {
    let before = durable
    durable = bytes
    for sector in lost {
      let range = range(of: sector, in: min(before.count, bytes.count))
      durable.overwrite(at: range.lowerBound, with: before[range])
    }
  }

  /// Counts a sector as clean, although it may not be on the disk.
  mutating func lose(sectorAt offset: Int) { lost.insert(offset / Self.sectorByteCount) }

  /// After a power cut, processes see only what is on the disk.
  mutating func forgetCache() {
    bytes = durable
    lost = []
  }

  mutating func evictCleanPages(_ random: inout SeededGenerator) {
    for sector in lost.sorted() where Bool.random(using: &random) {
      let range = range(of: sector, in: min(durable.count, bytes.count))
      bytes.overwrite(at: range.lowerBound, with: durable[range])
      lost.remove(sector)
    }
  }

  /// Makes the length durable. The new sectors are zeros on the disk.
  mutating func syncLength() { setDurableLength(bytes.count) }

  mutating func setDurableLength(_ byteCount: Int) { durable.resizeWithZeros(to: byteCount) }

  /// Changes a sector on the disk, up to the length of the file on the disk.
  mutating func settle(
    _ part: ContiguousArray<UInt8>.SubSequence, at offset: Int, as fate: SimulatedFate,
    _ random: inout SeededGenerator
  ) {
    let end = min(offset + part.count, durable.count)
    guard offset < end else { return }
    switch fate {
    case .kept: durable.overwrite(at: offset, with: part.prefix(end - offset))
    case .dropped: return
    case .zeroed: for index in offset..<end { durable[index] = 0 }
    case .garbled:
      for index in offset..<end { durable[index] = UInt8(truncatingIfNeeded: random.next()) }
    }
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
    guard count < byteCount else { return }
    reserveCapacity(byteCount)
    while count < byteCount {
      append(contentsOf: zeros[..<Swift.min(zeros.count, byteCount - count)])
    }
  }
}
