import Foundation
import Testing

/// A renamed type keeps its new name: the name says what the type is, in the words of the field.
@Suite("Retired names")
struct RetiredNameTests {
  private static let retired: Set<Substring> = [
    "Arrival", "Arrivals", "Asker", "Audition", "Bringing", "BrokerEnvironment", "BroughtAgain",
    "CalledKind", "Candidacy", "CaseFailure", "Cast", "Census", "Chronicle", "Claim", "ClientNews",
    "Comeback", "Companion", "ConditionArgumentError", "ContentRule", "ControlWire", "Conversation",
    "DecidedCreation", "DelegateLink", "DelegateNews", "DelegateReader", "DelegateTales",
    "Departing", "Departure", "Diary", "DiskWish", "Dismissal", "Doom", "EdgeTimer", "Entrance",
    "EventNews", "Farewell", "Fate", "GeneratorBefore", "GivenText", "Handover", "HeardRequest",
    "HeldScene", "HolderRule", "Homecoming", "Hosting", "Inquiry", "JournalNews", "KeyScenes",
    "LaneCast", "LanePen", "Leash", "LineReader", "LineRule", "LiveScene", "LoosePairs",
    "MadeUpProcesses", "MemberFilter", "MissingRoom", "Monitor", "News", "Objection", "Occasion",
    "OneBreath", "Oracle", "OrderedQueues", "Pen", "Petition", "PlaceKeeper", "Places", "Player",
    "ProgramDesk", "PutAway", "ReadAhead", "Recency", "RecordKeeper", "RecordRoom", "RecordedAct",
    "RecordedCast", "Relay", "Retelling", "RuleBreach", "SaidLines", "SavingTroupe", "Saying",
    "ScriptFlaw", "ScriptedBroker", "SeldomNote", "ShellScene", "SparePens", "StageRemains",
    "StagedBroker", "StandingRules", "Story", "Switchboard", "Tale", "Tales", "Temper", "Tenure",
    "TerminalLoan", "Theatre", "Ticket", "ToldCallback", "Troupe", "TurnedAway", "UnsyncedRecords",
  ]

  @Test("no type, suite or file has a retired name", arguments: ["Sources", "Tests"])
  func names(directory: String) throws {
    let root = Checkout.root.appending(path: directory)
    let declaration = try Regex(
      #"\b(?:struct|class|enum|actor|protocol|typealias) ([A-Z]\w*)"#,
      as: (Substring, Substring).self)
    for file in Checkout.swiftFiles(below: root) {
      let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
      let stem = file.split(separator: "/").last?.prefix { $0 != "+" && $0 != "." } ?? ""
      for name in text.matches(of: declaration).map(\.output.1) + [stem] {
        let subject = name.hasSuffix("Tests") ? name.dropLast(5) : name
        #expect(!Self.retired.contains(subject), "\(directory)/\(file): \(name)")
      }
    }
  }
}
