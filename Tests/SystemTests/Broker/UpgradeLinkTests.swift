import ScenePlatform
import SceneTestSupport
import Testing

#if os(Linux)
  /// The upgrade of a broker that was started from a link.
  struct UpgradeLinkTests {
    @Test("the new program is the target of the link that the broker was started from")
    func link() throws {
      let workplace = try Workplace()
      let link = workplace.file("link")
      try File.link(link, to: Programs.path("scened"))
      let daemon = try Daemon(
        workplace, environment: ["PROGRAM": link],
        wrapper: ["/bin/sh", "-c", #"shift; exec "$PROGRAM" "$@""#, "sh"])
      let next = try workplace.write("next", "#!/bin/sh\necho no room >&2; exit 4\n")
      #expect(try RunningProgram.run("chmod", ["755", next]).code == 0)
      try File.remove(link)
      try File.link(link, to: next)
      let outcome = try daemon.run("scenectl", ["upgrade"])
      #expect(outcome.errors.contains("\(link) cannot take over"), "\(outcome.errors)")
      #expect(outcome.errors.contains("no room"), "\(outcome.errors)")
    }
  }
#endif
