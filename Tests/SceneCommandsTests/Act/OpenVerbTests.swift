import SceneCommandLine
import SceneControl
import SceneControlTestSupport
import SceneModel
import ScenePlatform
import Testing

@testable import SceneCommands

@Suite("Verbs that open something")
struct OpenVerbTests {
  @Test(
    "F55–F58: what is given goes over the wire as it is",
    arguments: [
      (
        ["open", "note:a", "note:b"],
        #"{"urlContexts":[{"url":"note:a","options":{}},{"url":"note:b","options":{}}]}"#
      ),
      (
        [
          "open", "file:///a", "--in-place", "--source", "mail", "--annotation", "[ 1.50 ]",
          "--target", "note/1", "--configuration", "Note",
        ],
        #"{"urlContexts":[{"url":"file:///a","options":{"openInPlace":true,"#
          + #""sourceApplication":"mail","annotation":[ 1.50 ]}}],"#
          + #""targetContentIdentifier":"note/1","configuration":"Note"}"#
      ),
      (
        ["continue", #"t={"n": 1.0}"#],
        #"{"userActivity":{"activityType":"t","userInfo":{"n": 1.0}}}"#
      ),
      (
        ["continue", #"t {"n": 1.0}"#],
        #"{"userActivity":{"activityType":"t","userInfo":{"n": 1.0}}}"#
      ),
      (
        ["continue", #"{"activityType":"t","userInfo":{"n": 1.0},"title":"T"}"#],
        #"{"userActivity":{"activityType":"t","userInfo":{"n": 1.0},"title":"T"}}"#
      ),
      (
        ["continue", "--handoff", "t={}"],
        #"{"userActivity":{"activityType":"t","userInfo":{}},"handoff":true}"#
      ),
      (
        ["continue", "--web", "HTTPS://example.com/a?b", "--title", "A"],
        #"{"userActivity":{"activityType":"NSUserActivityTypeBrowsingWeb","title":"A","#
          + #""webpageURL":"HTTPS://example.com/a?b","userInfo":{}}}"#
      ),
      (["notify"], #"{"notificationResponse":{"userInfo":{}}}"#),
      (
        ["notify", #"{"m": 7}"#, "--action", "reply"],
        #"{"notificationResponse":{"actionIdentifier":"reply","userInfo":{"m": 7}}}"#
      ),
      (["shortcut", "new"], #"{"shortcutItem":{"type":"new"}}"#),
      (
        ["shortcut", "new", #"{"a":1}"#, "--title", "New"],
        #"{"shortcutItem":{"type":"new","localizedTitle":"New","userInfo":{"a":1}}}"#
      ),
    ])
  func sent(words: [String], params: String) throws {
    let reply = #"{"session":"\#(identifier(1))","isNew":false}"#
    let outcome = try Outcome.of(words, [result(1, reply)])
    #expect(outcome.code == .success)
    #expect(outcome.output + outcome.errors == "")
    // With --configuration, another request shows the configuration of the session.
    #expect(outcome.requests.first == "application/open \(params)")
  }

  @Test("--session names the session, and --no-wait prints it")
  func session() throws {
    var details = SessionDetails()
    details.summary = summary(1, name: "packing")
    let shown = text(of: details)
    let reply = #"{"session":"\#(identifier(1))","isNew":false}"#
    let outcome = try Outcome.of(
      ["open", "a:b", "--session", "packing", "--no-wait"],
      [result(1, resolved(shown)), result(2, reply), result(3, "{}"), result(4, resolved(shown))])
    #expect(outcome.requests[1].contains(#""session":"\#(identifier(1))","noWait":true"#))
    #expect(outcome.output == "delivered to packing\n")
    #expect(
      try Outcome.of(["open", "a:b", "--session", "x", "--target", "y"]).code == ExitCode.usage)
  }

  @Test("a session that was made for it is printed, and with --json the answer")
  func made() throws {
    let reply = #"{"session":"\#(identifier(1))","isNew":true}"#
    #expect(try Outcome.of(["open", "a:b"], [result(1, reply)]).output == "\(identifier(1))\n")
    #expect(
      try Outcome.of(["--json", "open", "a:b"], [result(1, reply)]).output == "\(reply)\n")
  }

  @Test(
    "what is no JSON, or nothing to open, is said before the broker is asked",
    arguments: [
      (["open", ""], ExitCode.badData, "url: must not be empty"),
      (
        ["open", "foo"], .badData,
        "url: missing scheme; a URL begins with a scheme and a colon, such as note:packing or file:///tmp"
      ),
      (["open", "a:b", "--annotation", "{"], .badData, "--annotation: "),
      (["open"], .usage, "URL"),
      (["continue", "t"], .usage, "expected TYPE=JSON"),
      (["continue"], .usage, "give either TYPE=JSON, or --web with or without --title"),
      (["continue", "t={}", "--title", "T"], .usage, "give either TYPE=JSON, or --web"),
      (["continue", "t={}", "--web", "https://a"], .usage, "give either TYPE=JSON, or --web"),
      (["continue", "--web", "ftp://a"], .usage, "--web: expected a URL with http or https"),
      (["continue", "--web", "https:///a"], .usage, "--web: expected a URL with http or https"),
      (["continue", "t=[]"], .badData, "TYPE=JSON: userInfo: expected an object"),
      (["notify", "[]"], .badData, "JSON: expected an object, found an array"),
      (["shortcut", ""], .badData, "type: must not be empty"),
    ])
  func refused(words: [String], code: ExitCode, message: String) throws {
    let outcome = try Outcome.of(words)
    #expect(outcome.code == code)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.requests == [])
  }

  @Test("F59: shows every candidate, why, and which is chosen")
  func route() throws {
    var first = RouteCandidate()
    first.session = summary(1).session
    first.name = "packing"
    first.state = .unattached
    (first.prefers, first.can) = (true, true)
    first.lastActive = 1_699_999_995_000
    first.activationConditions = ActivationConditionTexts(
      prefersToActivate: .value(#"self BEGINSWITH "note/""#))
    var second = RouteCandidate()
    second.session = summary(2).session
    second.state = .foregroundActive
    second.lastActive = 1_700_000_000_000
    second.activationConditions = ActivationConditionTexts(canActivate: .value("FALSEPREDICATE"))
    var reply = ApplicationRoute.Reply(candidates: [first, second], chosen: first.session)
    var status = ApplicationStatus.Reply()
    status.now = 1_700_000_000_000
    let outcome = try Outcome.of(
      ["route", "note/1"], [result(1, text(of: reply)), result(2, text(of: status))])
    #expect(outcome.code == .success)
    #expect(
      outcome.output == """
           NAME      STATE             PREFERS  CAN  LAST  CONDITIONS
        *  packing   unattached        yes      yes  5s    prefers self BEGINSWITH "note/"
           aaaabbbb  foregroundActive  no       no   0s    can FALSEPREDICATE

        """)
    #expect(outcome.requests.first == #"application/route {"targetContentIdentifier":"note/1"}"#)
    reply.chosen = nil
    let none = try Outcome.of(
      ["route", "x"], [result(1, text(of: reply)), result(2, text(of: status))])
    #expect(none.code == .failure)
    #expect(none.output.hasSuffix("the broker would make a new session\n"))
    reply.configuration = "Tool"
    let handled = try Outcome.of(
      ["route", "x"], [result(1, text(of: reply)), result(2, text(of: status))])
    #expect(
      handled.output.hasSuffix(
        "the broker would make a new session of Tool, which handles the identifier\n"))
    reply.chosen = second.session
    let only = try Outcome.of(
      ["route", "x"], [result(1, text(of: reply)), result(2, text(of: status))])
    #expect(
      only.output.hasSuffix("the chosen session gets all content: no other is possible\n"))
  }

  @Test("F59: show tells the conditions of a session, and nothing of those that it has not")
  func shown() throws {
    var details = SessionDetails()
    details.sceneSession.activationConditions = ActivationConditionTexts(
      canActivate: .value("self == \"note/1\""))
    details.summary = summary(1, name: "packing")
    let shown = text(of: details)
    let outcome = try Outcome.of(
      ["show", "packing"],
      [result(1, resolved(shown)), result(2, text(of: ApplicationStatus.Reply()))])
    #expect(outcome.output.contains("can activate for  self == \"note/1\"\n"), "\(outcome.output)")
    #expect(!outcome.output.contains("prefers"))
    let value = try Outcome.of(
      ["show", "packing", "--value", "activationConditions.canActivate"],
      [result(1, resolved(shown))])
    #expect(value.output == "self == \"note/1\"\n")
  }
}
