import SceneClient

/// Opens a window. Corresponds to `SwiftUI.OpenWindowAction`.
///
/// ```swift
/// @Environment(\.openWindow) private var openWindow
/// ```
///
/// If the window is open in any process, it comes to the foreground. The call returns at once. The
/// library logs an error, which `Scene.openWindow(id:value:)` throws. In a process that does not
/// run `main`, the call does nothing.
public struct OpenWindowAction: Sendable {
  /// Opens a window of a kind. Corresponds to `SwiftUI.OpenWindowAction.callAsFunction(id:)`.
  ///
  /// - Parameter id: the kind, as in `WindowGroup`, at most 256 bytes.
  public func callAsFunction(id: String) {
    WindowRequest(id: id).open()
  }

  /// Opens the window of a value. Corresponds to
  /// `SwiftUI.OpenWindowAction.callAsFunction(id:value:)`.
  ///
  /// - Parameters:
  ///   - id: the kind, as in `WindowGroup`, at most 256 bytes.
  ///   - value: the value; as JSON it has at most 1 KiB.
  public func callAsFunction<Value: Codable & Hashable>(id: String, value: Value) {
    WindowRequest(id: id, value: value).open()
  }

  /// Opens the window of a value, of the first kind that shows its type. Corresponds to
  /// `SwiftUI.OpenWindowAction.callAsFunction(value:)`.
  ///
  /// - Parameter value: the value; as JSON it has at most 1 KiB.
  public func callAsFunction<Value: Codable & Hashable>(value: Value) {
    WindowRequest(value: value).open()
  }
}

/// Closes windows, in any process; their sessions stay. Corresponds to
/// `SwiftUI.DismissWindowAction`. The call returns at once, and the library logs an error. In a
/// process that does not run `main`, the call does nothing.
public struct DismissWindowAction: Sendable {
  /// Closes the windows of a kind. Corresponds to
  /// `SwiftUI.DismissWindowAction.callAsFunction(id:)`.
  ///
  /// - Parameter id: the kind, as in `WindowGroup`, at most 256 bytes.
  public func callAsFunction(id: String) {
    WindowRequest(id: id).dismiss()
  }

  /// Closes the window of a value. Corresponds to
  /// `SwiftUI.DismissWindowAction.callAsFunction(id:value:)`.
  ///
  /// - Parameters:
  ///   - id: the kind, as in `WindowGroup`, at most 256 bytes.
  ///   - value: the value; as JSON it has at most 1 KiB.
  public func callAsFunction<Value: Codable & Hashable>(id: String, value: Value) {
    WindowRequest(id: id, value: value).dismiss()
  }

  /// Closes the window of a value, of the first kind that shows its type. Corresponds to
  /// `SwiftUI.DismissWindowAction.callAsFunction(value:)`.
  ///
  /// - Parameter value: the value; as JSON it has at most 1 KiB.
  public func callAsFunction<Value: Codable & Hashable>(value: Value) {
    WindowRequest(value: value).dismiss()
  }
}

extension EnvironmentValues {
  /// Opens a window, or brings it forward. Corresponds to
  /// `SwiftUI.EnvironmentValues.openWindow`.
  public var openWindow: OpenWindowAction { OpenWindowAction() }

  /// Closes windows, in any process. Corresponds to
  /// `SwiftUI.EnvironmentValues.dismissWindow`.
  public var dismissWindow: DismissWindowAction { DismissWindowAction() }
}

/// A request for a window, without a caller that waits for it.
private struct WindowRequest {
  private let target: Result<(id: String, value: String?), SceneError>

  init(id: String) { target = .success((id, nil)) }

  /// Without an `id`, the kind is that of the value's type.
  init<Value: Codable>(id: String? = nil, value: Value) {
    target = Result { () throws(SceneError) in
      let kind = if let id { id } else { try WindowValue.kind(for: Value.self) }
      return (kind, try WindowValue.name(of: value, in: kind))
    }
  }

  func open() {
    perform { application, id, value throws(SceneError) in
      try await application.openWindow(id: id, value: value)
    }
  }

  func dismiss() {
    perform { application, id, value throws(SceneError) in
      try await application.dismissWindows(id: id, value: value)
    }
  }

  private func perform(
    _ request:
      @escaping @Sendable (SceneApplication, String, String?) async throws(SceneError) ->
      Void
  ) {
    guard let application = SceneApplication.sharedIfPresent else { return }
    Task { [target] in
      do throws(SceneError) {
        let (id, value) = try target.get()
        try await request(application, id, value)
      } catch {
        application.program.report(.warning, error.message, error: error)
      }
    }
  }
}
