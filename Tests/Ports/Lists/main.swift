import SceneApp

await SceneApplication(name: "lists", delegates: ["SceneDelegate": SceneDelegate.init]).main()
