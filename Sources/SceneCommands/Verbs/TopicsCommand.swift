import CommandLine
import SceneControl
import SceneModel

extension Command {
  static var topics: Command {
    Command(
      "topics", "List the topics and their observers.",
      details: "With --json the verb prints a line for each page of the list.",
      examples: ["scenectl topics": "Prints the events, bytes and observers of each topic."])
  }
}

extension Errand {
  func topics() throws(ProgramError) -> ExitCode {
    var table = Table(["TOPIC", "EVENTS", "BYTES", "OBSERVERS", "KEPT"])
    try ask { broker throws(ControlError) in
      try broker.forEachPage(of: TopicList(), until: patience()) { page, json in
        if printsJSON { console.print(json) }
        for topic in page.topics {
          table.add(
            [
              topic.topic, "\(topic.events)", "\(topic.bytes)", "\(topic.observers)",
              topic.durable ? "on disk" : "in memory",
            ].map { Table.Cell($0) })
        }
      }
    }
    if !printsJSON { console.print(table) }
    return .success
  }
}
