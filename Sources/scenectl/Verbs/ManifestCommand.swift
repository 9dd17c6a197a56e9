import CommandLine

extension Command {
  static var manifest: Command {
    let define = Option.repeated("define", "NAME=VALUE", "the value of $(NAME) and ${NAME} in it")
    return Command(
      "manifest", "Look at what scenes there may be.",
      details: """
        A manifest is an Info.plist, XML or binary, with its UIApplicationSceneManifest, or the \
        same in JSON. It is given to scened --manifest.
        """,
      verbs: [
        Command(
          "check", "Say everything that is wrong with a file.",
          arguments: [.required("FILE", "an Info.plist, or JSON", .file)], options: [define],
          examples: [
            "scenectl manifest check app.json": "Prints a line for each thing that is wrong."
          ],
          exits: [.badConfiguration: "something is wrong with it"]),
        Command(
          "show", "Print a manifest as JSON, with every default.",
          arguments: [.optional("FILE", "a file; else what the broker has now", .file)],
          options: [define, .timeout()],
          examples: [
            "scenectl manifest show": "What the broker has.",
            "scenectl manifest show Info.plist --define PRODUCT_MODULE_NAME=Notes":
              "The same as a file for scened.",
          ],
          exits: [.badConfiguration: "something is wrong with the file"]),
        Command(
          "reload", "Let the broker read its file again.",
          details: """
            No scene is lost: sessions keep the configuration they were made with, and what is \
            new counts from then on. If something is wrong, the manifest stays as it was.
            """,
          options: [.timeout()],
          examples: ["scenectl manifest reload": "As kill -HUP does."],
          exits: [.no: "something is wrong with it, or there is no file"]),
      ])
  }
}
