import SceneBroker
import SceneModel
import ScenePlatform
import SceneServer

/// The processes of a simulated machine. A killed process can continue to exist for a while.
final class SimulatedProcesses: ProcessInspector {
  private var states: [ClientProcess: ProcessIdentity.Liveness] = [:]
  private var kills: [ClientProcess: (tick: Int, time: Int64)] = [:]
  private var lastNumber: Int64 = 100
  private var starts: UInt64 = 0
  /// Delivers a signal to a process that runs.
  var deliver: (String, ClientProcess) -> Void = { _, _ in }

  /// Starts a process. Process IDs are used again.
  func begin() -> ClientProcess {
    repeat { lastNumber = 100 + (lastNumber - 99) % 40 } while isTaken(lastNumber)
    starts += 1
    let process = ClientProcess(pid: lastNumber, startTime: starts)
    states[process] = .running
    return process
  }

  private func isTaken(_ number: Int64) -> Bool {
    states.contains { $0.key.pid == number && $0.value != .gone }
  }

  /// Kills the process, which continues to exist for a while.
  func kill(_ process: ClientProcess, tick: Int, at time: Int64) {
    states[process] = .ending
    kills[process] = (tick, time)
  }

  func end(_ process: ClientProcess) { states[process] = .gone }

  /// Whether the process was killed before `tick`, and so recently that the broker waits for its
  /// end.
  func wasDying(_ process: ClientProcess, before tick: Int, now: Int64) -> Bool {
    guard let kill = kills[process] else { return false }
    return kill.tick < tick && now - kill.time < 5_000_000_000
  }

  func state(of process: ClientProcess) -> ProcessIdentity.Liveness { states[process] ?? .gone }

  func send(_ signal: String, to process: ClientProcess) -> SignalOutcome {
    guard signal != "UNKNOWN" else { return .unknown }
    guard state(of: process) == .running else { return .gone }
    deliver(signal, process)
    return .sent(signal)
  }

  func isDebugged(_ pid: Int64) -> Bool { false }
  func activity(of pid: Int64) -> ProcessActivity? { nil }
}
