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
    bytes = ContiguousArray(repeating: 0, count: byteCount)
    durable = []
  }

  /// A file that is on the disk.
  init(durable: ContiguousArray<UInt8>) {
    bytes = durable
    self.durable = durable
  }

  mutating func write(_ part: ArraySlice<UInt8>, at offset: Int) {
    write(ContiguousArray(part), at: offset)
  }

  mutating func write(_ part: some Collection<UInt8>, at offset: Int) {
    if part.isEmpty { return }
    let end = offset + part.count
    if end > bytes.count {
      bytes.append(contentsOf: repeatElement(0, count: end - bytes.count))
    }
    bytes.replaceSubrange(offset..<end, with: part)
    let sectors = offset / Self.sectorByteCount...(end - 1) / Self.sectorByteCount
    dirty.formUnion(sectors)
    lost.subtract(sectors)
  }

  mutating func sync() {
    resizeDurable()
    for sector in dirty { restore(sector, to: \.durable, from: bytes) }
    dirty = []
  }

  mutating func loseDirtyPages(_ random: inout SeededGenerator) {
    resizeDurable()
    for sector in dirty.sorted() { leaveToChance(sector, &random) }
    lost.formUnion(dirty)
    dirty = []
  }

  /// What is not synced is kept, dropped, zeroed or garbled, each sector by itself.
  mutating func cutPower(_ random: inout SeededGenerator) {
    if bytes.count != durable.count && Bool.random(using: &random) { resizeDurable() }
    for sector in dirty.sorted() { leaveToChance(sector, &random) }
    bytes = durable
    dirty = []
    lost = []
  }

  mutating func evictCleanPages(_ random: inout SeededGenerator) {
    for sector in lost.sorted() where Bool.random(using: &random) {
      restore(sector, to: \.bytes, from: durable)
      lost.remove(sector)
    }
  }

  private mutating func resizeDurable() {
    if durable.count < bytes.count {
      durable.append(contentsOf: repeatElement(0, count: bytes.count - durable.count))
    }
  }

  private mutating func leaveToChance(_ sector: Int, _ random: inout SeededGenerator) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: restore(sector, to: \.durable, from: bytes)
    case 1: break
    case 2:
      let zeros = ContiguousArray<UInt8>(repeating: 0, count: bytes.count)
      restore(sector, to: \.durable, from: zeros)
    default:
      for index in range(of: sector, in: durable.count) {
        durable[index] = UInt8.random(in: 0...255, using: &random)
      }
    }
  }

  private mutating func restore(
    _ sector: Int, to target: WritableKeyPath<Self, ContiguousArray<UInt8>>,
    from source: ContiguousArray<UInt8>
  ) {
    let range = range(of: sector, in: min(self[keyPath: target].count, source.count))
    self[keyPath: target].replaceSubrange(range, with: source[range])
  }

  private func range(of sector: Int, in byteCount: Int) -> Range<Int> {
    let start = min(sector * Self.sectorByteCount, byteCount)
    return start..<min(start + Self.sectorByteCount, byteCount)
  }
}
