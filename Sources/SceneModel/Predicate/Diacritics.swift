#if !canImport(Darwin)
  @_spi(_Unicode) import Swift

  extension String {
    /// The text without marks. It is composed again, because a Hangul syllable is one character.
    var withoutDiacritics: String {
      var plain = UnicodeScalarView()
      for scalar in _nfd where scalar.properties.canonicalCombiningClass == .notReordered {
        plain.append(scalar)
      }
      return String(String.UnicodeScalarView(String(plain)._nfc))
    }
  }
#endif
