import ScenePlatform

/// A whole application in one file: which scenes it has, declared, rather than a manifest and a
/// program that have to agree.
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
/// Such a program is a client that can make these scenes. The program prints the manifest for its
/// broker: `notes --print-manifest > notes.json; scened --manifest notes.json`.
public protocol App {
  /// What is declared.
  associatedtype Body: SceneContent

  /// Makes it; once, when the program begins.
  init()

  /// What the program is called; sessions are found again by it. By default it is the name of the
  /// program's file.
  var name: String { get }

  /// What the program does, in a sentence with which `--help` begins.
  var summary: String { get }

  /// The scenes there may be. The first is what a new session is unless another is asked for.
  @SceneBuilder var body: Body { get }
}

extension App {
  /// The name of the program's file, as it was started.
  public var name: String { CurrentProcess.name ?? "\(Self.self)".lowercased() }

  /// That it is a scene of the application.
  public var summary: String { "Run scenes of the application \(name)." }

  /// What ``SceneContent/onChange(of:_:)`` is to follow: the application's phase.
  public var scenePhase: ScenePhaseKey { ScenePhaseKey() }

  /// Runs as all of the program: it reads the command line, which `--help` explains, and serves
  /// scenes until the last one is closed; when it was only reclaimed, it waits to be activated. What
  /// cannot be is said on standard error, and ends the process with the number that scripts know from
  /// `scene`.
  ///
  /// The signals INT, TERM and HUP end all scenes in order, and when they come again, the process.
  /// TSTP, which is Ctrl-Z, is the home gesture: scenes go to the background before the process
  /// stops, and come back with it. For that they are blocked in every thread, and a process that it
  /// starts must be told to hear them. What is printed leaves line by line.
  public static func main() {
    StandardStream.prepare()
    StandardStream.printLineByLine()
    // Before anything is made that could start a thread.
    let signals = AppSignals()
    AppProgram(Self()).run(signals)
  }
}

/// The highest that any scene of the application has reached, whichever process has it.
public typealias ScenePhase = SceneApplication.Phase

/// Stands for the application's phase where it is to be followed: see ``App/scenePhase``.
public struct ScenePhaseKey: Sendable {}
