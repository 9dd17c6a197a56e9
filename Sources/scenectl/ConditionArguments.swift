import CommandLine
import SceneControl

/// Conditions as they stand on a command line, one in an argument or spread over several: a lone
/// `!` turns round what follows, and a state or PATH=VALUE says more of the condition before.
enum ConditionArguments {
  static func conditions(_ arguments: [String]) throws(ConditionArgumentError) -> [Condition] {
    var groups: [(text: String, words: [String])] = []
    for argument in arguments {
      if let last = groups.indices.last, groups[last].words.allSatisfy({ $0 == "!" }) {
        groups[last].words += try words(of: argument)
        groups[last].text += " " + argument
      } else if let last = groups.indices.last, !Condition.beginsCondition(argument) {
        groups[last].words.append(argument)
        groups[last].text += " " + argument
      } else {
        groups.append((argument, try words(of: argument)))
      }
    }
    var conditions: [Condition] = []
    for group in groups {
      do throws(ConditionError) {
        conditions.append(try Condition(words: group.words))
      } catch {
        throw ConditionArgumentError(argument: group.text, complaint: error.description)
      }
    }
    return conditions
  }

  private static func words(of argument: String) throws(ConditionArgumentError) -> [String] {
    do throws(WordsError) {
      return try Words.split(argument)
    } catch {
      throw ConditionArgumentError(argument: argument, complaint: error.description)
    }
  }
}

/// An argument that is no condition.
struct ConditionArgumentError: Error, Equatable, CustomStringConvertible {
  var argument: String
  var complaint: String

  var description: String { "condition '\(argument)': \(complaint)" }
}
