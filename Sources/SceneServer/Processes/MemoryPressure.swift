import SceneBroker
import SceneCommandLine
import SceneJSON
import ScenePlatform

/// The watch of memory pressure.
extension Server {
  /// Returns the words of the status; nil without a watch.
  func watchPressure(_ watch: PressureWatch) -> String? {
    if let pressure { try? poller.remove(pressure.number) }
    switch watch {
    case .paused: return nil
    case .off:
      pressure = nil
      return nil
    case .on:
      do throws(ProgramError) {
        let source = if let pressure { pressure } else { try openPressureSource() }
        try serverCall { () throws(SystemError) in
          try poller.add(source.number, token: Source.pressure, interest: source.interest)
        }
        pressure = source
        return "watched (\(source.name))"
      } catch {
        return losePressure(because: error.message)
      }
    }
  }

  /// The source that systemd names, else that of the system.
  private func openPressureSource() throws(ProgramError) -> PressureSource {
    guard let path = Environment[MemoryPressureVariable.watch] else {
      return try serverCall { () throws(SystemError) in try PressureSource.system() }
    }
    guard path != "/dev/null" else {
      throw ProgramError(.badConfiguration, "\(MemoryPressureVariable.watch) is /dev/null")
    }
    let text = Environment[MemoryPressureVariable.write] ?? ""
    guard let bytes = Base64.decode(ContiguousArray(text.utf8)) else {
      throw ProgramError(.badConfiguration, "\(MemoryPressureVariable.write) is not Base64")
    }
    return try serverCall { () throws(SystemError) in
      try PressureSource(watching: path, writing: bytes)
    }
  }

  /// The source has reported. The broker pauses the watch.
  func takePressure() {
    guard let pressure else { return }
    guard pressure.drain() else { return losePressure() }
    eventLoop.takePressureStep()
  }

  /// The source cannot report any more.
  func losePressure() {
    guard let pressure else { return }
    // The call cannot fail: the poller has this descriptor.
    try? poller.remove(pressure.number)
    eventLoop.handle(.pressureWatched(losePressure(because: "the source has ended")))
  }

  private func losePressure(because problem: String) -> String {
    pressure = nil
    log.warn("the broker does not watch memory pressure: \(problem)")
    return "not watched: \(problem)"
  }
}

/// The variables of systemd.
enum MemoryPressureVariable {
  /// A path, or /dev/null for no watch.
  static let watch = "MEMORY_PRESSURE_WATCH"
  /// Base64.
  static let write = "MEMORY_PRESSURE_WRITE"
}
