import CommandLine
import SceneBroker
import SceneJournal
import SceneModel
import ScenePlatform
import SceneServer

extension Invocation {
  /// What the command line asks for.
  func configuration() throws -> (ServerConfiguration, Log) {
    let name = value("application") ?? "default"
    let application = try ApplicationName(name)
    let places = Places(
      application: application, environment: Environment.all, home: User.home ?? "/")
    var configuration = ServerConfiguration(
      application: application, socketPath: places.socket(value("socket")),
      stateDirectory: places.stateDirectory(value("state")), version: productVersion)
    configuration.durability = value("durability").flatMap(Durability.init(rawValue:)) ?? .disk
    configuration.clock = value("clock").flatMap(ClockKind.init(rawValue:)) ?? .real
    configuration.readyDescriptor = integer("ready-fd").map(Int32.init)
    configuration.leashDescriptor = integer("leash-fd").map(Int32.init)
    for limit in values("limit") { try set(limit, in: &configuration.limits) }
    for budget in values("budget") { try set(budget, in: &configuration.manifest.budgets) }
    let log = Log(
      level: value("log-level").flatMap(Log.Level.init(rawValue:)) ?? .info,
      format: value("log-format").flatMap(Log.Format.init(rawValue:)) ?? .text)
    return (configuration, log)
  }

  private func set(_ assignment: String, in limits: inout Limits) throws(UsageError) {
    let (name, text) = try parts(of: assignment, option: "limit")
    guard let value = Int(text), (0...1 << 40).contains(value) else {
      throw usageError("--limit \(name): \"\(text)\" is not a whole number")
    }
    guard name != "frameBytes" || (1024..<1 << 24).contains(value) else {
      throw usageError("--limit frameBytes: a frame has from 1024 to 16777215 bytes")
    }
    guard limits.set(name, to: value) else {
      let names = limits.named.map(\.name).joined(separator: ", ")
      throw usageError("--limit: there is no limit \(name); there are \(names)")
    }
  }

  private func set(_ assignment: String, in budgets: inout Budgets) throws(UsageError) {
    let (name, text) = try parts(of: assignment, option: "budget")
    guard let nanoseconds = TimeSpan.nanoseconds(text), nanoseconds > 0 else {
      throw usageError("--budget \(name): \"\(text)\" is not a time such as 5s or 500ms")
    }
    let time = Interval(nanoseconds: nanoseconds)
    switch name {
    case "connect": budgets.connect = time
    case "default": budgets.standard = time
    default:
      guard CallbackKind(rawValue: name) != nil else {
        let names = CallbackKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw usageError("--budget: there is no callback \(name); there are \(names)")
      }
      budgets.special[name] = time
    }
  }

  private func parts(
    of assignment: String, option: String
  ) throws(UsageError) -> (name: String, value: String) {
    guard let equals = assignment.firstIndex(of: "=") else {
      throw usageError("--\(option): expected NAME=VALUE, found \"\(assignment)\"")
    }
    return (
      String(assignment[..<equals]), String(assignment[assignment.index(after: equals)...])
    )
  }
}
