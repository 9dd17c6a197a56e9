public import Foundation
public import SceneClient

/// A URL as its absolute string.
extension URL: UserInfoValue {
  /// Reads a string; nil if it is no URL.
  ///
  /// - Parameter jsonText: a JSON string.
  public init?(jsonText: String) {
    guard let text = String(jsonText: jsonText) else { return nil }
    self.init(string: text)
  }

  public var jsonText: String { absoluteString.jsonText }
}
