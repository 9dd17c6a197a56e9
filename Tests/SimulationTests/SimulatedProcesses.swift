import SceneModel
import SceneServer

/// The processes of a simulated machine: each runs, then perhaps lives on for a while after it was killed, then is gone.
final class SimulatedProcesses: ProcessWatch {
  private var states: [ClientProcess: ProcessState] = [:]
  private var lastNumber: Int64 = 100
  private var starts: UInt64 = 0

  /// A new one; numbers come round again, as they do.
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

  func set(_ process: ClientProcess, _ state: ProcessState) { states[process] = state }

  func state(of process: ClientProcess) -> ProcessState { states[process] ?? .gone }

  func isDebugged(_ pid: Int64) -> Bool { false }
}
