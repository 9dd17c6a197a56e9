extension PressureSource {
  /// The pressure of the whole machine.
  package static let systemPath = "/proc/pressure/memory"
  /// A report follows when processes waited for memory for 0.2 s within 2 s. The kernel accepts
  /// other windows than multiples of 2 s only from root.
  private static let trigger = "some 200000 2000000\0"

  /// The source of the system.
  package static func system() throws(SystemError) -> PressureSource {
    try PressureSource("kernel", kernelFile: systemPath, ContiguousArray(trigger.utf8))
  }
}
