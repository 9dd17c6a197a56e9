import SceneBroker
import SceneModel
import ScenePlatform
import Testing

@testable import SceneServer

@Suite("The fault injector")
struct FaultInjectorTests {
  private let faults = Faults()
  private let client = ConnectionIdentifier(1)

  private func reply(after record: UInt64) -> Outbound {
    Outbound(connection: client, message: .reply(.number(1), .empty), after: record)
  }

  private func inject(
    _ injector: inout FaultInjector, _ fault: Fault, submitted: UInt64 = 0, durable: UInt64 = 0
  ) -> Bool {
    injector.inject(fault, submitted: submitted, durable: durable)
  }

  @Test("a fault is armed when all earlier records are durable")
  func arming() {
    var injector = FaultInjector(faults)
    #expect(!inject(&injector, .death(.replySent, .before), submitted: 5, durable: 4))
    #expect(faults.death == nil)
    injector.armDeath(durable: 4)
    #expect(faults.death == nil)
    injector.armDeath(durable: 5)
    #expect(faults.death == Faults.Death(point: .replySent, moment: .before))
  }

  @Test("a full disk is simulated, and the journal looks for space again")
  func fullDisk() {
    var injector = FaultInjector(faults)
    #expect(inject(&injector, .diskFull(true)))
    #expect(injector.simulatesFullDisk && faults.diskIsFull)
    #expect(inject(&injector, .diskFull(false)))
    #expect(!injector.simulatesFullDisk)
  }

  @Test("only the reply that waits for a record is marked")
  func marking() {
    var injector = FaultInjector(faults)
    injector.mark(reply(after: 9), durable: 5, outboxByteCount: 60)
    #expect(injector.fatalMessages[client] == nil)
    _ = inject(&injector, .death(.replySent, .after), submitted: 5, durable: 5)
    injector.mark(reply(after: 5), durable: 5, outboxByteCount: 60)
    #expect(injector.fatalMessages[client] == nil)
    injector.mark(reply(after: 6), durable: 5, outboxByteCount: 70)
    injector.mark(reply(after: 7), durable: 5, outboxByteCount: 80)
    #expect(injector.fatalMessages[client] == FatalMessage(byteCount: 70, moment: .after))
  }

  @Test("a send counts only on the connection of the marked message, until that closes")
  func connections() {
    var injector = FaultInjector(faults)
    _ = inject(&injector, .death(.replySent, .after))
    injector.mark(reply(after: 1), durable: 0, outboxByteCount: 70)
    let bytes: ContiguousArray<UInt8> = [1, 2, 3, 4]
    for identifier in [client, ConnectionIdentifier(2)] {
      let outcome = injector.send(bytes.span.bytes, on: identifier) { .bytes($0.byteCount) }
      #expect(outcome == .bytes(4))
    }
    #expect(injector.fatalMessages[client]?.byteCount == 66)
    injector.remove(client)
    #expect(injector.fatalMessages[client] == nil)
  }
}
