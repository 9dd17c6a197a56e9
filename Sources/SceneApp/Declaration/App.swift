public import SceneClient
import ScenePlatform

/// An application in one file. It declares its scenes, so that the manifest and the program agree.
/// Corresponds to `SwiftUI.App`.
///
/// ```swift
/// @main
/// struct Notes: App {
///   var body: some SceneContent {
///     WindowGroup(id: "Note", delegate: NoteDelegate.init)
///     Settings(delegate: SettingsDelegate.init)
///   }
/// }
/// ```
///
/// The program is a client that can make these scenes. It prints the manifest for its broker:
/// `notes --print-manifest > notes.json; scened --manifest notes.json`.
@MainActor
public protocol App {
  /// The type of the declarations. Corresponds to `SwiftUI.App.Body`.
  associatedtype Body: SceneContent

  /// Makes the application once, when the program begins. Corresponds to `SwiftUI.App.init()`.
  init()

  /// The name of the program, at most 1 KiB; the broker finds sessions again by it. By default, the
  /// name of the program's file.
  var name: String { get }

  /// The first line of the program's `--help`. By default, a line with the name of the application.
  var summary: String { get }

  /// Receives what the library reports by itself, on any thread; nil for standard error, which is
  /// the default.
  var log: (@Sendable (SceneLogRecord) -> Void)? { get }

  /// The scenes of the application. The first is the default of a new session. Corresponds to
  /// `SwiftUI.App.body`.
  @SceneBuilder var body: Body { get }
}

extension App {
  /// The name of the program's file.
  public var name: String { ProgramAddress.defaultName }

  /// A summary with the name of the application.
  public var summary: String { "Run scenes of the application \(name)." }

  /// No closure: the library writes to standard error.
  public var log: (@Sendable (SceneLogRecord) -> Void)? { nil }

  /// The words after `--` on the command line, which the library does not read.
  ///
  /// ```sh
  /// memo packing -- --font 12
  /// ```
  public nonisolated static var arguments: [String] { arguments(in: CurrentProcess.words) }

  nonisolated static func arguments(in words: [ContiguousArray<UInt8>]) -> [String] {
    words.drop { !$0.elementsEqual("--".utf8) }.dropFirst().map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Runs the whole program. `main` reads the command line and serves scenes until the last one is
  /// closed. After a reclaim it waits for an activation. It reports an error on standard error, and
  /// ends with the exit status that `scene` uses. Corresponds to `SwiftUI.App.main()`.
  ///
  /// INT, TERM and HUP end all scenes in order; a second signal ends the process. Ctrl-Z (TSTP)
  /// moves the scenes to the background before the process stops. They return when the process
  /// continues. Standard output is flushed after each line.
  @MainActor
  public static func main() async {
    StandardStream.prepare()
    StandardStream.printLineByLine()
    await AppProgram(Self()).run()
  }
}

/// The highest state of all scenes of the application, in any process. Corresponds to
/// `SwiftUI.ScenePhase`.
public typealias ScenePhase = SceneApplication.Phase
