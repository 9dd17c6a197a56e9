/// The reason why a case did not pass.
enum CaseFailure: Error {
  /// A description of the actual behavior.
  case failed(String)
  /// The case does not apply to this client.
  case notApplicable(String)
}
