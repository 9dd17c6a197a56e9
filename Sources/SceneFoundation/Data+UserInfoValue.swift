public import Foundation
public import SceneClient

/// Bytes as a string in base 64.
extension Data: UserInfoValue {
  /// Reads a string in base 64; nil for other text.
  ///
  /// - Parameter jsonText: a JSON string.
  public init?(jsonText: String) {
    guard let text = String(jsonText: jsonText) else { return nil }
    self.init(base64Encoded: text)
  }

  public var jsonText: String { base64EncodedString().jsonText }
}
