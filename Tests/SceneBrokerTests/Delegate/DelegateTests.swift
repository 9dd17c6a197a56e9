import SceneJSON
import SceneModel
import Testing

@testable import SceneBroker

/// The connection, the launch and the end of the application delegate.
final class DelegateTests: BrokerSuite {
  @Test("the status has the number of requests that wait for the delegate")
  func awaited() throws {
    var manifest = Manifest.hosting("Note")
    manifest.applicationDelegate = .required
    let fixture = BrokerFixture(manifest)
    let (scene, control) = (fixture.client(), fixture.control())
    scene.ask(SceneConnect(name: "packing"))
    control.ask(ApplicationStatus())
    let status = try #require(control.lastReply?.content as? ApplicationStatus.Reply)
    #expect(status.awaitingDelegate == 1 && status.delegate == nil)
  }

  static func manifest(_ participation: DelegateParticipation) -> Manifest {
    var manifest = Manifest.hosting("Note", "Tool")
    manifest.applicationDelegate = participation
    return manifest
  }

  // MARK: - Who it is

  @Test("a second delegate is refused")
  func one() {
    let first = fixture.client("app", as: .applicationDelegate)
    let second = fixture.open()
    let message = Initialize(
      client: ClientName(name: "other", version: "1"), as: .applicationDelegate)
    #expect(second.hears(message) == ["1 delegateInUse"])
    #expect(
      second.lastError?.message
        == "app 101 is the application delegate; only one can be connected")
    first.close()
    #expect(
      second.hears(message) == ["2 initialized background", "willFinishLaunching"])
  }

  @Test("initialize of a new delegate waits for the end of a killed one", arguments: [true, false])
  func killed(itEnds: Bool) {
    let first = fixture.client("app", as: .applicationDelegate)
    fixture.dying.insert(first.process)
    let second = fixture.open()
    let message = Initialize(
      client: ClientName(name: "app", version: "1"), as: .applicationDelegate)
    #expect(second.hears(message).isEmpty)
    if itEnds { first.close() } else { fixture.pass(Broker.exitTimeout) }
    #expect(
      second.heard
        == (itEnds ? ["1 initialized background", "willFinishLaunching"] : ["1 delegateInUse"]))
  }

  @Test("no client becomes the delegate during a shutdown")
  func ending() {
    fixture.client().become("a")
    fixture.terminate()
    let late = fixture.open()
    let message = Initialize(client: ClientName(name: "a", version: ""), as: .applicationDelegate)
    #expect(late.hears(message) == ["1 shuttingDown later"])
  }

  // MARK: - The launch

  @Test(
    "the delegate launches in two steps, one after the other",
    arguments: DelegateParticipation.allCases)
  func launch(participation: DelegateParticipation) {
    let fixture = BrokerFixture(Self.manifest(participation))
    let delegate = fixture.open()
    delegate.ask(
      Initialize(client: ClientName(name: "a", version: ""), as: .applicationDelegate))
    #expect(delegate.heard == ["1 initialized background", "willFinishLaunching"])
    delegate.answer()
    #expect(delegate.heard == ["didFinishLaunching"])
    delegate.answer()
    #expect(delegate.heard.isEmpty)
  }

  @Test("an error or an overrun ends the wait for the launch, whose rest can come late")
  func deafLaunch() {
    let fixture = BrokerFixture(Self.manifest(.required))
    let scene = fixture.client()
    scene.ask(SceneConnect(name: "packing"))
    let delegate = fixture.client("app", as: .applicationDelegate)
    delegate.answer(.failed(message: "no"))
    #expect(delegate.heard == ["didFinishLaunching"])
    #expect(scene.heard.isEmpty)
    fixture.pass(.seconds(5))
    #expect(scene.heard == ["2 S1 new launch 1", "willConnect S1 new launch 1"])
    let other = BrokerFixture(Self.manifest(.required))
    let waiting = other.client()
    waiting.ask(SceneConnect(name: "packing"))
    waiting.forget()
    let deaf = other.client("app", as: .applicationDelegate)
    other.pass(.seconds(5))
    #expect(waiting.heard.first == "2 S1 new launch 1")
    deaf.answer()
    #expect(deaf.heard.contains("didFinishLaunching"))
  }

  @Test("while the delegate launches, no session is created, and existing ones connect")
  func launching() {
    let fixture = BrokerFixture(Self.manifest(.optional))
    let scene = fixture.client()
    let packing = scene.become("packing")
    scene.ask(SceneDisconnect(session: packing))
    let delegate = fixture.client("app", as: .applicationDelegate)
    scene.forget()
    scene.ask(SceneConnect(name: "route"))
    #expect(scene.heard.isEmpty)
    #expect(scene.hears(SceneConnect(name: "packing")).first == "5 S1 restore 2")
    delegate.answer()
    delegate.answer()
    #expect(delegate.heard.last == "configurationForConnecting S2 route Note")
  }

  @Test("the delegate's own requests do not wait for its launch")
  func ownRequest() {
    let fixture = BrokerFixture(Self.manifest(.required))
    let host = fixture.client("host", hosts: ["*"])
    let delegate = fixture.client("app", as: .applicationDelegate)
    delegate.ask(RequestActivation(name: "packing"))
    host.acknowledgeAll()
    #expect(
      delegate.lastReply
        == BrokerReply(RequestActivation.Reply(session: .init(high: 0, low: 1), isNew: true)))
  }

  // MARK: - Required

  @Test("no scene connects before a required delegate has launched")
  func required() {
    let fixture = BrokerFixture(Self.manifest(.builtIn))
    let packing = fixture.client().become("packing")
    let next = fixture.crashed(manifest: Self.manifest(.required))
    let (scene, control, host) = (next.client(), next.control(), next.client("h", hosts: ["*"]))
    scene.ask(SceneConnect(session: packing))
    control.ask(RequestActivation(name: "route"))
    #expect((scene.heard + control.heard + host.heard).isEmpty)
    // Settle does not wait for these requests, because they wait for a delegate to connect.
    #expect(control.hears(Settle()) == ["3 {}"])
    let delegate = next.client("app", as: .applicationDelegate)
    delegate.answer()
    #expect(scene.heard.isEmpty)
    delegate.answer()
    #expect(scene.heard.first == "2 S1 recover 2")
    #expect(delegate.heard.contains("configurationForConnecting S3 route Note"))
    delegate.choose("Note")
    host.acknowledgeAll()
    #expect(control.heard == ["2 activated S3 new"])
  }

  @Test("a client that resumes does not wait, and no client waits for a second launch")
  func gateOnce() {
    let fixture = BrokerFixture(Self.manifest(.required))
    let scene = fixture.client()
    let delegate = fixture.delegate()
    scene.ask(SceneConnect(name: "packing"))
    delegate.choose("Note")
    scene.acknowledgeAll()
    let next = fixture.crashed(
      living: [scene.process], manifest: Self.manifest(.required))
    let again = next.client(pid: scene.process.pid)
    #expect(
      again.hears(
        SceneConnect(
          session: SessionIdentifier(high: 0, low: 1),
          resume: Resume(state: .background, hold: 1)))
        == ["2 S1 resume 1"])
    next.delegate().close()
    #expect(again.hears(SceneConnect(name: "route")).first == "3 S2 new launch 1")
  }

  @Test("a reload to a manifest without a required delegate releases the waiting requests")
  func noLongerRequired() {
    let fixture = BrokerFixture(Self.manifest(.required))
    let scene = fixture.client()
    scene.ask(SceneConnect(name: "packing"))
    fixture.handle(.manifestRead(.manifest(Self.manifest(.optional))))
    #expect(scene.heard.first == "2 S1 new launch 1")
  }

  @Test(
    "the end of a launching delegate releases the requests, unless one is required",
    arguments: [(.optional, true), (.required, false)] as [(DelegateParticipation, Bool)])
  func goneWhileLaunching(participation: DelegateParticipation, isFree: Bool) {
    let fixture = BrokerFixture(Self.manifest(participation))
    let delegate = fixture.client("app", as: .applicationDelegate)
    let scene = fixture.client()
    scene.ask(SceneConnect(name: "packing"))
    delegate.answer()
    delegate.close()
    #expect(scene.heard.isEmpty != isFree)
  }

  @Test("a closed connection drops its waiting requests; a shutdown refuses the others")
  func waitingEnds() {
    let fixture = BrokerFixture(Self.manifest(.required))
    let (gone, left) = (fixture.client(), fixture.client())
    gone.ask(SceneConnect(name: "a"))
    left.ask(SceneConnect(name: "b"))
    gone.close()
    fixture.terminate()
    #expect(left.heard == ["2 shuttingDown later"])
    #expect(fixture.isStopping)
  }

  @Test("a request that outlives its connection still waits for the delegate")
  func orphan() {
    let fixture = BrokerFixture(Self.manifest(.required))
    let (control, host) = (fixture.control(), fixture.client("h", hosts: ["*"]))
    control.tell(ApplicationOpen(.urls([url("note:a")])))
    control.close()
    let delegate = fixture.client("app", as: .applicationDelegate)
    delegate.answer()
    #expect(delegate.heard.last == "didFinishLaunching url note:a from files")
    delegate.answer()
    delegate.answer()
    #expect(host.heard == ["willConnect S1 new url 1 url note:a from files"])
  }

  // MARK: - What it is launched for

  @Test(
    "F18: didFinishLaunching has the launch options, and the delegate can decline them",
    arguments: [true, false])
  func launchOptions(accepted: Bool) {
    let fixture = BrokerFixture(Self.manifest(.required))
    let (control, host) = (fixture.control(), fixture.client("h", hosts: ["*"]))
    control.ask(ApplicationOpen(.urls([url("note:a")])))
    let delegate = fixture.client("app", as: .applicationDelegate)
    delegate.answer()
    #expect(delegate.heard.last == "didFinishLaunching url note:a from files")
    delegate.answer(.launched(accepted: accepted))
    if accepted {
      #expect(delegate.heard == ["configurationForConnecting S1 Note url note:a from files"])
      delegate.answer()
      #expect(host.heard == ["willConnect S1 new url 1 url note:a from files"])
    } else {
      #expect(control.heard == ["2 requestDenied"])
      #expect(delegate.heard.isEmpty)
      #expect(fixture.broker.stored.sessions.isEmpty)
    }
  }

  @Test("a scene whose options the delegate declined connects without them")
  func declinedConnect() {
    let fixture = BrokerFixture(Self.manifest(.required))
    let scene = fixture.client()
    var options = ConnectionOptions()
    options.urlContexts = [url("note:a")]
    scene.ask(SceneConnect(name: "packing", options: options))
    let delegate = fixture.client("app", as: .applicationDelegate)
    delegate.answer()
    delegate.answer(.launched(accepted: false))
    delegate.answer()
    #expect(scene.heard == ["2 S1 new launch 1", "willConnect S1 new launch 1"])
  }

  // MARK: - What it is told

  @Test("the delegate learns of each scene that connects or disconnects, not of its states")
  func tidings() {
    let fixture = BrokerFixture(Self.manifest(.builtIn))
    let delegate = fixture.delegate()
    let scene = fixture.client()
    let packing = scene.become("packing")
    scene.move(packing, .background)
    scene.acknowledgeAll()
    scene.move(packing, .foregroundActive)
    scene.acknowledgeAll()
    #expect(delegate.heard == ["connected S1 new launch"])
    scene.move(packing, .background)
    fixture.pass(.seconds(5))
    #expect(delegate.heard == ["disconnected S1 watchdog willResignActive"])
    let other = fixture.client()
    other.become("packing")
    other.close()
    #expect(delegate.heard == ["connected S1 recover", "disconnected S1 connectionLost"])
  }

  // MARK: - The end

  @Test("willTerminate follows the end of the last scene")
  func terminates() {
    let fixture = BrokerFixture(Self.manifest(.optional))
    let (scene, delegate) = (fixture.client(), fixture.delegate())
    scene.ask(SceneConnect(name: "packing"))
    delegate.answer()
    scene.acknowledgeAll()
    delegate.forget()
    fixture.terminate()
    #expect(delegate.heard.isEmpty)
    scene.acknowledgeAll()
    #expect(delegate.heard == ["disconnected S1 shutdown", "willTerminate"])
    #expect(!fixture.isStopping)
    delegate.answer()
    #expect(fixture.isStopping)
  }

  @Test("willTerminate has one second, whatever its budget, and the delegate can close instead")
  func slowToTerminate() {
    var manifest = Self.manifest(.optional)
    manifest.budgets["willTerminate"] = .seconds(60)
    for goes in [true, false] {
      let fixture = BrokerFixture(manifest)
      let delegate = fixture.delegate()
      fixture.terminate()
      #expect(delegate.heard == ["willTerminate"])
      if goes { delegate.close() } else { fixture.pass(.milliseconds(999)) }
      #expect(fixture.isStopping == goes)
      fixture.pass(.milliseconds(1))
      #expect(fixture.isStopping)
    }
  }

  @Test("hung scenes do not shorten the second for willTerminate")
  func slowScenes() {
    let fixture = BrokerFixture(Self.manifest(.builtIn))
    let (scene, delegate) = (fixture.client(), fixture.delegate())
    scene.become("packing")
    delegate.forget()
    fixture.terminate()
    fixture.pass(Broker.shutdownTime)
    #expect(delegate.heard == ["disconnected S1 shutdown", "willTerminate"])
    fixture.pass(.milliseconds(500))
    #expect(!fixture.isStopping)
    delegate.answer()
    #expect(fixture.isStopping)
  }
}
