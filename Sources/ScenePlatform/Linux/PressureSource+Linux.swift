extension PressureSource {
  /// The kernel's figures of the whole machine.
  package static let systemPath = "/proc/pressure/memory"
  /// The kernel reports when processes waited for memory for 0.2 s within 2 s. For other windows
  /// than multiples of 2 s, the kernel requires root.
  private static let trigger = "some 200000 2000000\0"

  /// The source of the system.
  package static func system() throws(SystemError) -> PressureSource {
    try PressureSource("kernel", kernelFile: systemPath, ContiguousArray(trigger.utf8))
  }
}
