/// What happened in a world, the newest of it; kept only for a world whose failure is known and
/// wanted.
final class Transcript {
  let isKept: Bool
  private var lines: [String] = []
  /// Stands for everything that went over a wire, in order: two runs of one seed have the same.
  private(set) var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325

  init(isKept: Bool) { self.isKept = isKept }

  func note(_ line: @autoclosure () -> String) {
    guard isKept else { return }
    lines.append(line().replacing("SceneModel.", with: ""))
  }

  func stamp(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { fingerprint = (fingerprint ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  func tail(_ count: Int) -> String { lines.suffix(count).joined(separator: "\n") }
}
