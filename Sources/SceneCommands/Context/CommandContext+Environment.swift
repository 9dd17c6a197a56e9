import SceneCommandLine
import SceneControl
import SceneModel
import ScenePlatform

extension CommandContext {
  /// The names of the variables of this login that the broker wants.
  func loginVariables() throws -> [String] {
    try broker.loginVariables(until: replyDeadline())
  }

  /// The variables that travel with an activation.
  func environmentOfActivation() throws -> LoginEnvironment? {
    try broker.environmentOfActivation(until: replyDeadline())
  }
}

extension ControlConnection {
  /// The names in `$SCENE_ENVIRONMENT`, else those of the broker's manifest, else the standard
  /// ones.
  func loginVariables(until deadline: Int64?) throws(ControlError) -> [String] {
    if let list = Environment[LoginEnvironment.namesVariable] {
      return list.split { " ,\n\t".contains($0) }.map(String.init)
    }
    return try greeting(until: deadline).environment ?? LoginEnvironment.standardNames
  }

  /// The variables that travel with an activation. A variable that is not set here may be right in
  /// the broker, so it is left out. A program of a scene may have an older environment, and sends
  /// none.
  func environmentOfActivation(until deadline: Int64?) throws(ControlError) -> LoginEnvironment? {
    guard Environment["SCENE_SESSION"] == nil, Environment[Initialize.launchVariable] == nil else {
      return nil
    }
    var values: [String: String] = [:]
    for name in try loginVariables(until: deadline) { values[name] = Environment[name] }
    let environment = LoginEnvironment(values)
    return environment.isEmpty || environment.problem != nil ? nil : environment
  }
}
