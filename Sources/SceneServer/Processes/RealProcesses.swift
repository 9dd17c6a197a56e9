package import SceneBroker
package import SceneModel
package import ScenePlatform

/// The processes of this machine.
package struct RealProcesses: ProcessInspector {
  package init() {}

  package func state(of process: ClientProcess) -> ProcessIdentity.Liveness {
    let pid = Int32(truncatingIfNeeded: process.pid)
    return ProcessIdentity(pid: pid, startTime: process.startTime).liveness
  }

  package func isDebugged(_ pid: Int64) -> Bool {
    ProcessIdentity.isTraced(Int32(truncatingIfNeeded: pid))
  }

  package func activity(of pid: Int64) -> ProcessActivity? {
    ProcessActivity(of: Int32(truncatingIfNeeded: pid))
  }

  package func groupActivity(of pid: Int64) -> ProcessActivity? {
    let members = ProcessGroup(Int32(truncatingIfNeeded: pid)).members
    var whole: ProcessActivity?
    for member in members {
      guard let activity = ProcessActivity(of: member) else { continue }
      let isFirst = whole == nil
      whole = ProcessActivity(
        isFirst || activity.state == .running || whole?.state == .stopped
          ? activity.state : whole?.state ?? .running, runs: (whole?.runs ?? 0) &+ activity.runs)
    }
    // The broker will get the exit of a group without members.
    return whole ?? ProcessActivity(.running, runs: 0)
  }

  package func send(_ signal: String, to process: ClientProcess) -> SignalOutcome {
    guard let signal = Signal(name: signal) else { return .unknown }
    guard let pid = Int32(exactly: process.pid) else { return .gone }
    do throws(SystemError) {
      let identity = ProcessIdentity(pid: pid, startTime: process.startTime)
      return try identity.signal(signal) ? .sent(signal.name) : .gone
    } catch {
      return .refused("\(error.code)")
    }
  }

  package func residentBytes(of pid: Int64) -> Int64? {
    ProcessUsage.residentBytes(ofTree: Int32(truncatingIfNeeded: pid))
  }

  /// The process with this number, told apart from later ones.
  package func identity(of pid: Int32) -> ClientProcess {
    let identity = ProcessIdentity.of(pid)
    return ClientProcess(pid: Int64(pid), startTime: identity?.startTime ?? 0)
  }
}
