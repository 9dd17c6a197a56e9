#if canImport(Darwin)
  import Foundation

  extension String {
    /// The text without marks.
    var withoutDiacritics: String { folding(options: .diacriticInsensitive, locale: nil) }
  }
#endif
