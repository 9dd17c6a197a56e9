#if !canImport(Darwin)
  @_spi(_Unicode) import Swift

  extension String {
    /// The text in its canonical decomposition, without marks.
    var withoutDiacritics: String {
      var plain = UnicodeScalarView()
      for scalar in _nfd where scalar.properties.canonicalCombiningClass == .notReordered {
        plain.append(scalar)
      }
      return String(plain)
    }
  }
#endif
