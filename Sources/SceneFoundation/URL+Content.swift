public import Foundation
public import SceneClient

extension OpenURLContext {
  /// The URL to open. Characters that a URL cannot have are escaped. Corresponds to
  /// `UIOpenURLContext.url`.
  public var url: URL { URL(string: urlText) ?? URL(escaping: urlText) }
}

extension UserActivity {
  /// The page that shows the content of the activity, with `http` or `https`; nil also for a text
  /// that is no URL. Corresponds to `NSUserActivity.webpageURL`.
  public var webpageURL: URL? {
    get { webpageText.flatMap { URL(string: $0) } }
    set { webpageText = newValue?.absoluteString }
  }
}

extension URL {
  /// Escapes all but letters and digits after the scheme, which every text of a context has.
  fileprivate init(escaping text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    let rest = parts.dropFirst().joined().addingPercentEncoding(
      withAllowedCharacters: .alphanumerics)
    guard let url = URL(string: "\(parts.first ?? ""):\(rest ?? "")") else {
      preconditionFailure("a context without a scheme: \(text)")
    }
    self = url
  }
}
