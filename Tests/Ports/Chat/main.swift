import SceneApp

await SceneApplication(name: "chat", delegates: ["SceneDelegate": SceneDelegate.init]).main()
