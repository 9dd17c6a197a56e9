extension Command {
  /// The options of every program. Each prints a text and ends the program.
  var standardOptions: [Option] {
    var options = [Option.flag("help", short: "h", "show this page")]
    if version != nil { options.append(.flag("version", "show the version")) }
    return options + [
      .choice(
        "print-completion", Shell.allCases.map(\.rawValue), "print a completion script"),
      .flag("print-manual", "print the manual page"),
    ]
  }

  /// The standard options without `--help`, which verbs have too.
  var programOptions: ArraySlice<Option> { standardOptions.dropFirst() }
}
