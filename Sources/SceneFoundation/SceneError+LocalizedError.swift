public import Foundation
public import SceneClient

/// A request's error as Foundation shows it.
extension SceneError: LocalizedError {
  /// The message of the error: the problem, and a solution where there is one. Corresponds to
  /// `LocalizedError.errorDescription`.
  public var errorDescription: String? { message }
}
