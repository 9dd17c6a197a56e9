import SceneClient
import SceneModel
import ScenePlatform

extension SceneRequest {
  /// The request with the command line of this process as the program of the session. In a process
  /// that `scene` started to reopen a session, the request is for that session, without the content
  /// that the first process opened.
  func reopenable(by words: [ContiguousArray<UInt8>]) -> SceneRequest {
    var request = self
    if let session = ReopenedSession.ofThisProcess {
      request = SceneRequest(.persistentIdentifier(session.description))
      request.staysInBackground = staysInBackground
    }
    guard request.program == nil, let directory = try? Directory.currentAsNamed() else {
      return request
    }
    let arguments = words.compactMap { String(validating: $0, as: UTF8.self) }
    let program = SessionProgram(
      arguments: arguments, directory: directory, connects: true)
    // A session without a program is better than a request that the broker refuses.
    guard arguments.count == words.count, program.problem == nil,
      program.jsonByteCount <= Limits().programBytes
    else { return request }
    request.program = program
    return request
  }
}
