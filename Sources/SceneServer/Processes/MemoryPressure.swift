import SceneBroker
import SceneCommandLine
import SceneJSON
import ScenePlatform

/// The watch of memory pressure.
extension Server {
  /// Begins or ends the watch. Returns the words of the status; nil without a watch.
  func watchPressure(_ isOn: Bool) -> String? {
    guard isOn else {
      closePressureSource()
      pressureProblem = nil
      return nil
    }
    if let path = Environment[MemoryPressureVariable.watch], pressureSource?.reads(path) == false {
      closePressureSource()
    }
    do throws(ProgramError) {
      let source = if let pressureSource { pressureSource } else { try openPressureSource() }
      (pressureSource, pressureProblem) = (source, nil)
      return "watched (\(source.name))"
    } catch {
      return losePressure(because: error.message)
    }
  }

  /// The source that systemd names, else that of the system.
  private func openPressureSource() throws(ProgramError) -> PressureSource {
    guard let path = Environment[MemoryPressureVariable.watch] else {
      do throws(SystemError) {
        return try added(PressureSource.system())
      } catch {
        throw ProgramError(.badConfiguration, "the system reports no memory pressure: \(error)")
      }
    }
    guard path != "/dev/null", !path.isEmpty else {
      throw ProgramError(
        .badConfiguration,
        "\(MemoryPressureVariable.watch) is \(path.isEmpty ? "empty" : path); set "
          + "MemoryPressureWatch=auto in the unit, or unset the variable, and restart the broker")
    }
    let text = Environment[MemoryPressureVariable.write] ?? ""
    guard let bytes = Base64.decode(ContiguousArray(text.utf8)) else {
      throw ProgramError(
        .badConfiguration, "\(MemoryPressureVariable.write) is not Base64; unset it")
    }
    do throws(SystemError) {
      let source = try added(PressureSource(watching: path, writing: bytes))
      pressureWatch = Directory.parent(of: path).flatMap { try? DirectoryWatch(removalsIn: $0) }
      if let pressureWatch {
        try? poller.add(pressureWatch.number, token: Source.pressurePlace, interest: .readable)
      }
      return source
    } catch {
      throw ProgramError(
        .badConfiguration,
        "\(MemoryPressureVariable.watch) names \(path): \(error.note ?? "\(error.code)"); make "
          + "a FIFO there and run: scenectl\(configuration.options) manifest reload")
    }
  }

  private func added(_ source: PressureSource) throws(SystemError) -> PressureSource {
    try source.add(to: poller, token: Source.pressureSource)
    return source
  }

  /// The kernel's figure of what the source watches, else of the machine.
  var pressureAverage: String? {
    PressureSource.average(in: pressureSource?.figuresPath ?? PressureSource.systemPath)
  }

  /// The source has reported.
  func takePressure() {
    guard let pressureSource else { return }
    guard pressureSource.drain() else { return losePressure() }
    eventLoop.reportPressure()
  }

  /// A file beside the source was removed.
  func takePressureWatch() {
    pressureWatch?.drain()
    guard let path = Environment[MemoryPressureVariable.watch],
      pressureSource?.reads(path) == false
    else { return }
    eventLoop.handle(.pressureWatched(watchPressure(true)))
  }

  /// The source cannot report any more.
  func losePressure() {
    guard pressureSource != nil else { return }
    closePressureSource()
    let words = losePressure(
      because: "the source has ended; to open it again: scenectl\(configuration.options) "
        + "manifest reload")
    eventLoop.handle(.pressureWatched(words))
  }

  private func closePressureSource() {
    // The calls cannot fail: the poller has these descriptors.
    if let pressureSource { try? poller.remove(pressureSource.number) }
    if let pressureWatch { try? poller.remove(pressureWatch.number) }
    (pressureSource, pressureWatch) = (nil, nil)
  }

  private func losePressure(because problem: String) -> String {
    if problem != pressureProblem {
      log.warn("the broker does not watch memory pressure: \(problem)")
    }
    pressureProblem = problem
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
