import CScenePlatform

extension PseudoTerminal {
  static func openEnds() throws(SystemError) -> (shown: Int32, program: Int32) {
    var program: Int32 = -1
    let shown = try check("open", "/dev/ptmx") { platform_open_terminal(&program) }
    return (shown, program)
  }

  static var takeTerminal: UInt { UInt(TIOCSCTTY) }
}
