import CommandLine
import SceneControl
import SceneModel

extension Command {
  static var topics: Command {
    Command(
      "topics", "List the topics and their observers.",
      details: "With --json it prints a line for each page of the list.",
      examples: ["scenectl topics": "A line for each topic: its events, bytes and observers."])
  }
}

extension Errand {
  func topics() throws(Failure) -> ExitCode {
    var table = Table(["TOPIC", "EVENTS", "BYTES", "OBSERVERS", "KEPT"])
    var request = TopicList()
    repeat {
      let json = try finish(
        try ask { broker throws(ControlError) in broker.post(request) }, "topics")
      let page = try read(TopicList.Reply.self, json)
      if printsJSON { console.print(json) }
      for topic in page.topics {
        table.add(
          [
            topic.topic, "\(topic.events)", "\(topic.bytes)", "\(topic.observers)",
            topic.durable ? "on disk" : "in memory",
          ].map { Table.Cell($0) })
      }
      request.after = page.next
    } while request.after != nil
    if !printsJSON { console.print(table) }
    return .yes
  }
}
