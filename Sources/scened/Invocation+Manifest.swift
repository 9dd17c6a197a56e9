import SceneCommandLine
import SceneManifest
import SceneModel
import ScenePlatform
import SceneServer

extension Invocation {
  /// The source of the manifest, also for a reload; nil for the built-in manifest. `piped` is what
  /// the program that this one replaces has read from a pipe.
  func manifestSource(
    for application: ApplicationName, piped: ContiguousArray<UInt8>? = nil
  ) throws(UsageError) -> ManifestSource? {
    var defined: [String: String] = [:]
    for definition in values("define") {
      let (name, value) = try parts(of: definition, option: "define")
      guard !name.isEmpty else {
        throw usageError("--define: expected NAME=VALUE, found \"\(definition)\"")
      }
      defined[name] = value
    }
    guard let file = value("manifest") else {
      guard defined.isEmpty else {
        throw usageError("--define: no manifest is given; name one with --manifest FILE")
      }
      return nil
    }
    let variables = ManifestVariables(
      defined: defined, environment: Environment.all, application: application.description)
    let overrides = try manifestOverrides(of: application)
    // A reload must read the same file after a change of the working directory.
    let path = Directory.absolute(file)
    // A pipe, as from <(…), has no path for a reload.
    let isFile = (try? FileStatus(of: path).kind) == .regular
    let directory = isFile ? Directory.parent(of: path) : nil
    let isConfined = has("confine")
    return ManifestSource(name: file, directory: directory) { isAgain in
      Result { () throws(ManifestError) in
        if isAgain { try Self.checkIsFile(path, named: file) }
        let bytes = if let piped { piped } else { try Self.bytes(of: path, named: file) }
        var loaded = try ManifestFile.read(bytes, named: file, variables: variables)
        overrides.apply(to: &loaded.manifest)
        loaded.warnings += Self.obstacles(
          of: loaded.manifest, in: directory, isConfined: isConfined)
        return loaded
      }
    }
  }

  /// The programs that cannot be started now. A missing program may exist later.
  private static func obstacles(
    of manifest: Manifest, in directory: String?, isConfined: Bool
  ) -> [ManifestDiagnostic] {
    manifest.roles.flatMap { role in
      role.configurations.compactMap { configuration in
        role.launches[configuration.name].flatMap {
          isConfined ? "a confined broker starts no programs" : $0.obstacle(in: directory)
        }
        .map { obstacle in
          ManifestDiagnostic(
            "", "the launch command of \(PlainText.word(configuration.name)): \(obstacle)")
        }
      }
    }
  }

  /// Only the start may wait for the writer of a pipe. A running broker must not wait.
  private static func checkIsFile(_ path: String, named file: String) throws(ManifestError) {
    guard let kind = try? FileStatus(of: path).kind, kind != .regular else { return }
    let problem = "cannot read \(kind.name) again; use a regular file"
    throw ManifestError(file: file, flaws: [ManifestDiagnostic("", problem)])
  }

  private static func bytes(
    of path: String, named file: String
  ) throws(ManifestError) -> ContiguousArray<UInt8> {
    do throws(SystemError) {
      return try File.read(path, limit: ManifestFile.byteLimit)
    } catch {
      throw ManifestError(
        file: file, flaws: [ManifestDiagnostic("", "cannot read the file: \(error.code)")])
    }
  }

  /// The settings of the command line that override a manifest.
  func manifestOverrides(of application: ApplicationName) throws(UsageError) -> ManifestOverrides {
    ManifestOverrides(
      budgets: try budgets(),
      applicationDelegate: value("application-delegate").flatMap(
        DelegateParticipation.init(rawValue:)),
      application: application, namesApplication: has("application"))
  }

  private func budgets() throws(UsageError) -> [(name: String, time: Interval)] {
    var budgets: [(String, Interval)] = []
    for assignment in values("budget") {
      let (name, text) = try parts(of: assignment, option: "budget")
      guard Budgets.names.contains(name) else {
        throw usageError(
          "--budget: unknown callback \(PlainText.word(name)); the callbacks are "
            + Budgets.names.joined(separator: ", "))
      }
      guard let nanoseconds = TimeSpan.nanoseconds(text),
        (Interval.milliseconds(1) ... .year).contains(Interval(nanoseconds: nanoseconds))
      else {
        throw usageError(
          "--budget \(name): expected a time from 1ms to 8760h, such as 5s, found \"\(text)\"")
      }
      budgets.append((name, Interval(nanoseconds: nanoseconds)))
    }
    return budgets
  }
}

/// The settings of the command line that override a manifest, also after a reload.
struct ManifestOverrides {
  var budgets: [(name: String, time: Interval)]
  var applicationDelegate: DelegateParticipation?
  var application: ApplicationName
  /// Whether the command line names the application.
  var namesApplication: Bool

  func apply(to manifest: inout Manifest) {
    for (name, time) in budgets { manifest.budgets[name] = time }
    if let applicationDelegate { manifest.applicationDelegate = applicationDelegate }
    // Xcode writes $(PRODUCT_NAME), which resolves to the application's name.
    if namesApplication || manifest.bundleName == application.description {
      manifest.bundleName = nil
    }
  }
}
