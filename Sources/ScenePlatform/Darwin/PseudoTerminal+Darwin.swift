#if canImport(Darwin)
  extension PseudoTerminal {
    static func openEnds() throws(SystemError) -> (shown: Int32, program: Int32) {
      let shown = try check("posix_openpt") { posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC) }
      guard grantpt(shown) == 0, unlockpt(shown) == 0, let path = ptsname(shown) else {
        defer { close(shown) }
        throw SystemError("ptsname")
      }
      let program = ScenePlatform.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
      guard program >= 0 else {
        defer { close(shown) }
        throw SystemError("open", String(cString: path))
      }
      return (shown, program)
    }

    /// Swift cannot import the macro TIOCSCTTY.
    static var takeTerminal: UInt { 0x2000_7461 }
  }
#endif
