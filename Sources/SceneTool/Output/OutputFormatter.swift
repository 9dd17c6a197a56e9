/// Formats the events of a scene.
protocol OutputFormatter: Sendable {
  /// Lines for standard output.
  func lines(for event: SceneEvent) -> [String]
}
