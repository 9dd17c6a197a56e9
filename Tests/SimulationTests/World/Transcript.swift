/// The log of a simulation. A simulation keeps its log only when it repeats a failure.
final class Transcript {
  let isKept: Bool
  private var lines: [String] = []
  /// A hash of all bytes that brokers sent, in order. Two runs with the same seed have the same
  /// hash.
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
