import SceneModel
import Testing

@testable import SceneBroker

/// The variables of the user's login, on their way to programs.
struct LoginEnvironmentTests {
  private let old = LoginEnvironment(["DISPLAY": ":0", "SSH_AUTH_SOCK": "/old"])
  private let new = LoginEnvironment(["DISPLAY": nil, "SSH_AUTH_SOCK": "/new"])

  private func activation(_ environment: LoginEnvironment?) -> any RequestMessage {
    RequestActivation(name: "packing", environment: environment)
  }

  @Test("a launch gets the newest variables, and a variable that is not set is removed")
  func launch() {
    let fixture = BrokerFixture(.launching("Note"))
    let control = fixture.control()
    control.ask(activation(old))
    #expect(fixture.launches.last?.environment == old)
    #expect(control.hears(UpdateEnvironment(new)) == ["3 {}"])
    fixture.exit(ClientExit(status: 3))
    fixture.pass(.seconds(1))
    #expect(fixture.launches.count == 2 && fixture.launches.last?.environment == new)
    #expect(!fixture.trace.contains { $0.detail?.contains("/new") == true })
  }

  @Test("only controls send variables, and the broker checks them")
  func permissions() {
    let fixture = BrokerFixture(.launching("Note"))
    let scene = fixture.client()
    #expect(scene.hears(activation(old)) == ["2 notPermitted"])
    let control = fixture.control()
    for (name, value) in [("", "a"), ("A=B", "a"), ("SCENE_SOCKET", "a"), ("A", "a\0b")] {
      control.ask(activation(LoginEnvironment([name: value])))
      #expect(control.lastError?.reason == .invalidParams, "\(name)")
    }
    let tooLarge = LoginEnvironment(["A": String(repeating: "a", count: 20_000)])
    control.ask(UpdateEnvironment(tooLarge))
    #expect(control.lastError?.message == "environment: more than 64 variables or 16384 bytes")
    #expect(fixture.launches.isEmpty && fixture.broker.loginEnvironment.isEmpty)
  }

  @Test(
    "the host of a session gets the variables only for a program that scene runs and a control's activation",
    arguments: [false, true], [false, true])
  func hosts(connects: Bool, isByControl: Bool) {
    let fixture = BrokerFixture(.hosting("Note"))
    let (control, host) = (fixture.control(), fixture.client(hosts: ["Note"]))
    let program = SessionProgram(arguments: ["vim"], directory: "/", connects: connects)
    let session = host.become(SceneConnect(name: "packing", program: program))
    func environment() -> LoginEnvironment? {
      guard let message = host.callbacks.first?.callback.message as? WillConnect else { return nil }
      return message.environment
    }
    control.ask(UpdateEnvironment(new))
    #expect(environment() == nil)
    host.acknowledgeAll()
    host.ask(SceneDisconnect(session: session))
    host.acknowledgeAll()
    let requester = isByControl ? control : fixture.client("other")
    requester.ask(RequestActivation(session: session))
    #expect(host.callbacks.map(\.callback.kind) == [.willConnect])
    #expect(environment() == (isByControl && !connects ? new : nil))
  }
}
