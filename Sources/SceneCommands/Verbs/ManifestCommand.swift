import CommandLine

extension Command {
  static var manifest: Command {
    let define = Option.repeated("define", "NAME=VALUE", "the value of $(NAME) in the manifest")
    return Command(
      "manifest", "Check, show or reload a manifest.",
      details: """
        A manifest is an Info.plist (XML or binary) with a UIApplicationSceneManifest, or the same \
        in JSON. `scened --manifest` reads it.
        """,
      verbs: [
        Command(
          "check", "Print every mistake in a manifest.",
          arguments: [.required("FILE", "an Info.plist, or JSON", .file)], options: [define],
          examples: ["scenectl manifest check app.json": "Prints a line for each mistake."],
          exits: [.badConfiguration: "the manifest has mistakes"]),
        Command(
          "show", "Print a manifest as JSON with every default.",
          arguments: [
            .optional("FILE", "the manifest; default: that of the running broker", .file)
          ],
          options: [define, .timeout()],
          examples: [
            "scenectl manifest show": "Prints the manifest of the broker.",
            "scenectl manifest show Info.plist --define PRODUCT_MODULE_NAME=Notes":
              "Prints the property list as a JSON manifest.",
          ],
          exits: [.badConfiguration: "the manifest has mistakes"]),
        Command(
          "reload", "Make the broker read its manifest again.",
          details: """
            All scenes stay. Existing sessions keep their configuration. If the manifest has \
            mistakes, the broker keeps the old one.
            """,
          options: [.timeout()],
          examples: ["scenectl manifest reload": "Does the same as kill -HUP."],
          exits: [.failure: "the manifest has mistakes, or the broker has no manifest file"]),
      ])
  }
}
