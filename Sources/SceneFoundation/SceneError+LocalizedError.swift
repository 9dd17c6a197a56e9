public import Foundation
public import SceneClient

/// A request's error as Foundation shows it.
extension SceneError: LocalizedError {
  /// The message: the problem, and a solution where there is one. Corresponds to
  /// `LocalizedError.errorDescription` of UIKit's errors.
  public var errorDescription: String? { message }
}
