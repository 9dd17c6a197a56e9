import Foundation
import Testing

/// A renamed type keeps its new name: the name says what the type is, in the words of the field.
@Suite("Retired names")
struct RetiredNameTests {
  private static let retired: Set<Substring> = [
    "AbsentMembers", "ApplicationNameError", "Arrival", "Arrivals", "Asker", "Audition",
    "BaseHeader", "BaseReading",
    "BaseTrailer", "BaseWriting", "BeginHold", "BoundedText", "Bringing", "BrokerEnvironment",
    "BroughtAgain", "CalledKind", "Candidacy", "CaseFailure", "Cast", "Census", "Chronicle",
    "Claim", "ClientNews", "Comeback", "Companion", "Completions", "ConditionArgumentError",
    "ContentRule", "ControlWire", "Conversation", "DamagedLine", "DecidedCreation", "DelegateLink",
    "DelegateNews", "DelegateReader", "DelegateTales", "Departing", "Departure", "Diary",
    "DirectoryRemovals", "DiskWish", "Dismissal", "Doom", "EdgeTimer", "Entrance", "EventNews",
    "Farewell", "Fate", "GeneratorBefore", "GivenText", "Handover", "HeaderError", "HeardRequest",
    "HeldScene",
    "HolderRule", "Homecoming", "Hosting", "Inquiry", "JournalContentError", "JournalNews",
    "JournalSwitching",
    "KeyScenes", "LaneCast", "LanePen", "LaunchEnd", "LaunchError", "LaunchedProcesses", "Leash",
    "LineReader",
    "LineRule", "LiveScene", "LockText", "LoosePairs", "MadeUpProcesses", "MemberFilter",
    "MissingArguments", "MissingRoom", "Monitor", "News", "Objection", "Occasion", "OneBreath",
    "Oracle",
    "OrderedQueues", "Pen", "Petition", "PlaceKeeper", "Places", "Player", "PredicateError",
    "ProgramDesk", "ProgramsError",
    "PutAway", "ReadAhead", "Recency", "RecordError", "RecordKeeper", "RecordRoom", "RecordedAct",
    "RecordedCast",
    "Relay", "Retelling", "RuleBreach", "RuntimePathsError", "SaidLines", "SavingTroupe", "Saying",
    "SceneStanding",
    "ScriptFlaw", "ScriptedBroker", "SeldomNote", "ServerError", "SessionEnd", "ShellScene",
    "SparePens",
    "StageRemains", "StagedBroker", "StandingRules", "StorageError", "Story", "Switchboard", "Tale",
    "Tales",
    "Temper", "Tenure", "TerminalLoan", "Theatre", "Ticket", "ToldCallback", "Troupe",
    "TurnedAway", "UnsyncedRecords", "Waiters",
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

  private static let retiredMembers: Set<Substring> = [
    "admitDelegate", "assignQuietly", "beginCreation", "besides", "completions", "continuesTry",
    "cut", "decideCreations", "deliveriesOnceConnected", "detach", "dismissals", "entitle",
    "formerHolder", "formerHolders", "fresh", "generationToGive", "givenGeneration", "grace",
    "isTrying", "lastOfIt", "leastNeeded", "little", "numbersUsed", "patience", "standing", "story",
    "tellsOfDelegate", "toldReports", "unreturned", "violate", "walk", "watch",
  ]

  @Test(
    "no function, property or case of the rules has a retired name",
    arguments: ["SceneBroker", "SceneModel"])
  func members(module: String) throws {
    let root = Checkout.root.appending(path: "Sources/\(module)")
    let declaration = try Regex(
      #"\b(?:func|var|let|case) ([a-z]\w*)"#, as: (Substring, Substring).self)
    for file in Checkout.swiftFiles(below: root) {
      let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
      for name in text.matches(of: declaration).map(\.output.1) {
        #expect(!Self.retiredMembers.contains(name), "\(module)/\(file): \(name)")
      }
    }
  }
}
