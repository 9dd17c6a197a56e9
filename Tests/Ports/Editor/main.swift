import SceneApp

await SceneApplication(delegate: SceneDelegate.init).main()
