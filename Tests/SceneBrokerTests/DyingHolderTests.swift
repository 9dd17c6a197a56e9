import SceneModel
import Testing

@testable import SceneBroker

/// A killed process lives on for a moment before its connection closes.
struct DyingHolderTests {
  @Test("a connect waits for a holder that is coming to its end")
  func waits() {
    let stage = Stage()
    let (holder, other) = (stage.client(), stage.client())
    holder.become("packing")
    stage.dying = [holder.process]
    #expect(other.hears(.connect(SceneConnect(name: "packing"))) == [])
    holder.close()
    #expect(other.heard == ["2 S1 recover 2", "willConnect S1 recover 2"])
  }

  @Test("the default pick waits for a better one that is about to be free")
  func defaultPick() {
    let stage = Stage()
    let (holder, other) = (stage.client(), stage.client())
    holder.become("packing")
    stage.dying = [holder.process]
    #expect(other.hears(.connect(SceneConnect())) == [])
    holder.close()
    #expect(other.heard.first == "2 S1 recover 2")
  }

  @Test("the default pick takes an older session if the newer holders live")
  func older() {
    let stage = Stage()
    let (holder, other) = (stage.client(), stage.client())
    let one = holder.become("one")
    holder.become("two")
    holder.ask(.disconnect(SceneDisconnect(session: one)))
    holder.move(SessionIdentifier(high: 0, low: 2), .background)
    holder.ask(.activate(RequestActivation(session: SessionIdentifier(high: 0, low: 2))))
    #expect(other.hears(.connect(SceneConnect())).first == "2 S1 restore 2")
    #expect(stage.inquiries.map { $0.processes.map(\.pid) } == [[holder.process.pid]])
  }

  @Test("holders of sessions that were used less recently are not asked about")
  func lessRecent() {
    let stage = Stage()
    let (holder, other) = (stage.client(), stage.client())
    holder.become("one")
    let two = holder.become("two")
    holder.ask(.disconnect(SceneDisconnect(session: two)))
    #expect(other.hears(.connect(SceneConnect())).first == "2 S2 restore 2")
    #expect(stage.inquiries.isEmpty)
  }

  @Test("each holder is asked about once, and no more than 64 of them")
  func askedAbout() {
    let stage = Stage()
    for number in 0..<70 {
      let holder = stage.client(pid: Int64(1000 + number))
      holder.become(SceneConnect(new: true))
      holder.become(SceneConnect(new: true))
    }
    stage.client().ask(.connect(SceneConnect()))
    let asked = stage.inquiries.last?.processes.map(\.pid) ?? []
    #expect(asked == (1006..<1070).reversed().map { Int64($0) })
  }

  @Test("what is kept for the asker is found behind more holders than are asked about")
  func keptBehindHolders() {
    let before = Stage()
    let scene = before.client(pid: 50)
    scene.become("packing")
    var limits = Limits()
    limits.holdersAskedAbout = 1
    let stage = before.crashed(living: [scene.process], limits: limits)
    for _ in 0..<3 { stage.client().become(SceneConnect(new: true)) }
    #expect(stage.client(pid: 50).hears(.connect(SceneConnect())).first == "2 S1 recover 2")
    #expect(stage.inquiries.map(\.processes.count) == [1])
  }

  @Test("who looks for a free session passes none that is held")
  func heldAreApart() {
    let stage = Stage()
    let holder = stage.client()
    let sessions = (0..<10).map { _ in holder.become(SceneConnect(new: true)) }
    holder.ask(.disconnect(SceneDisconnect(session: sessions[3])))
    var store = stage.broker.store
    for (isHeld, expected) in [
      (false, [sessions[3]]), (true, sessions.reversed().filter { $0 != sessions[3] }),
    ] {
      let kind = LRUIndex.Key(maker: "notes", role: .windowApplication, isHeld: isHeld)
      #expect(Array(store.newestFirst(kind)) == expected)
    }
  }

  @Test("who looks for a session of one configuration passes none of another")
  func configurationsAreApart() {
    let stage = Stage(Manifest.hosting("Note", "Tool"))
    let maker = stage.client()
    let sessions = (0..<10).map { number in
      maker.become(SceneConnect(new: true, configuration: number == 3 ? "Tool" : "Note"))
    }
    var store = stage.broker.store
    for (configuration, expected) in [
      ("Tool", [sessions[3]]), ("Note", sessions.reversed().filter { $0 != sessions[3] }),
      (nil, sessions.reversed()),
    ] {
      let kind = LRUIndex.Key(
        maker: "notes", role: .windowApplication, configuration: configuration, isHeld: true)
      #expect(Array(store.newestFirst(kind)) == expected)
    }
  }

  @Test("a holder that takes too long over its end is in the way after all")
  func patience() {
    let stage = Stage()
    let (holder, other) = (stage.client(), stage.client())
    holder.become("packing")
    stage.dying = [holder.process]
    other.ask(.connect(SceneConnect(name: "packing")))
    other.ask(.connect(SceneConnect()))
    stage.pass(.seconds(5))
    #expect(
      other.heard == ["2 sessionInUse", "3 S3 new launch 1", "willConnect S3 new launch 1"])
  }

  @Test("requests that wait for the same end are tried in the order they came")
  func inOrder() {
    let stage = Stage()
    let (holder, first, second) = (stage.client(), stage.client(), stage.client())
    holder.become("packing")
    stage.dying = [holder.process]
    first.ask(.connect(SceneConnect(name: "packing")))
    second.ask(.connect(SceneConnect(name: "packing")))
    holder.close()
    #expect(first.heard.first == "2 S1 recover 2")
    #expect(second.heard == ["2 sessionInUse"])
    #expect(stage.timers.keys.allSatisfy { if case .inquiry = $0 { false } else { true } })
  }

  @Test("a request is forgotten when its own connection closes while it waits")
  func askerCloses() {
    let stage = Stage()
    let (holder, other) = (stage.client(), stage.control())
    holder.become("packing")
    stage.dying = [holder.process]
    other.ask(.connect(SceneConnect(name: "packing")))
    other.close()
    #expect(stage.timers.keys.allSatisfy { if case .inquiry = $0 { false } else { true } })
    holder.close()
    #expect(stage.broker.scenes.isEmpty)
    #expect(stage.broker.deferred.requests.isEmpty)
  }

  @Test("a request that waits is answered when its session is discarded")
  func discarded() {
    let stage = Stage()
    let (holder, other, control) = (stage.client(), stage.client(), stage.control())
    let session = holder.become("packing")
    stage.dying = [holder.process]
    other.ask(.connect(SceneConnect(session: session)))
    control.ask(.destroy(RequestDestruction(sessions: [session])))
    holder.close()
    #expect(other.heard == ["2 sessionNotFound"])
    #expect(control.heard == ["2 {}"])
  }

  @Test("a connection has only so many requests waiting, also without identifiers")
  func limit() {
    var limits = Limits()
    limits.requestsInFlight = 3
    let stage = Stage(limits: limits)
    let (holder, other) = (stage.client(), stage.client())
    holder.become("packing")
    stage.dying = [holder.process]
    for _ in 0..<3 { other.tell(.connect(SceneConnect(name: "packing"))) }
    #expect(other.hears(.connect(SceneConnect(name: "packing"))) == ["2 tooMany later"])
    #expect(stage.broker.deferred.requests.count == 3)
  }

  @Test("what waits is refused when the application ends")
  func shutdown() {
    let stage = Stage()
    let (holder, other) = (stage.client(), stage.client())
    holder.become("packing")
    stage.dying = [holder.process]
    other.ask(.connect(SceneConnect(name: "packing")))
    stage.terminate()
    #expect(other.heard == ["2 shuttingDown later"])
  }

  /// A session that is kept for a process which held it before a crash; who wants it activated, and
  /// a host.
  private func kept() -> (Stage, ClientProcess, control: Client, host: Client) {
    let before = Stage()
    let scene = before.client(pid: 50)
    scene.become("packing")
    let stage = before.crashed(living: [scene.process])
    return (stage, scene.process, stage.control(), stage.client(hosts: ["*"]))
  }

  @Test("an activation does not wait for a holder of before that is coming to its end")
  func activation() {
    let (stage, holder, control, host) = kept()
    stage.dying = [holder]
    #expect(control.hears(.activate(RequestActivation(name: "packing"))) == [])
    #expect(host.heard == ["willConnect S1 activation 2"])
    host.acknowledgeAll()
    #expect(control.heard == ["2 activated S1"])
  }

  @Test("an activation that waits for a holder of before is told soon when that ends")
  func activationThatWaits() {
    let (stage, holder, control, host) = kept()
    control.ask(.activate(RequestActivation(name: "packing")))
    stage.pass(.seconds(2))
    #expect(host.heard == [])
    stage.dying = [holder]
    stage.pass(.seconds(1))
    #expect(host.heard == ["willConnect S1 activation 2"])
    #expect(stage.broker.deferred.requests.isEmpty)
  }

  @Test("holders of before that nobody waits for are not asked about")
  func nobodyWaits() {
    let (stage, holder, control, host) = kept()
    stage.pass(.seconds(2))
    #expect(stage.inquiries.isEmpty)
    control.ask(.activate(RequestActivation(name: "packing")))
    stage.pass(.seconds(2))
    #expect(stage.inquiries.count > 1)
    // Who wanted it may go; it is wanted all the same.
    control.close()
    #expect(host.heard == [])
    stage.dying = [holder]
    stage.pass(.seconds(1))
    #expect(host.heard == ["willConnect S1 activation 2"])
    let asked = stage.inquiries.count
    stage.pass(.seconds(3))
    #expect(stage.inquiries.count == asked)
  }

  @Test("a take-over does not wait")
  func takeOver() {
    let stage = Stage()
    let (holder, other) = (stage.client(), stage.client())
    holder.become("packing")
    stage.dying = [holder.process]
    #expect(
      other.hears(.connect(SceneConnect(name: "packing", takeOver: true))).first
        == "2 S1 recover 2")
    #expect(stage.inquiries.isEmpty)
  }
}
