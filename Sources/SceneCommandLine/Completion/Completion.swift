/// A shell that completion scripts are made for.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}

extension Command {
  /// The first word of a command line that asks for the candidates of the words after it.
  static let completionRequest = "--complete"

  /// The completion script of this program for a shell. The script runs the program with
  /// `--complete` and the words of the line, and shows the lines that the program prints.
  package func completionScript(for shell: Shell) -> String {
    let script =
      switch shell {
      case .bash: bashScript
      case .zsh: zshScript
      case .fish: fishScript
      }
    let function = name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }
    return script.replacing("FUNCTION", with: "_" + function.joined())
      .replacing("PROGRAM", with: name)
  }
}

/// `FUNCTION_plain` resolves quotes and variables without running anything. bash splits a word at
/// `=`.
private let bashScript = #"""
  # bash completion for PROGRAM
  FUNCTION_plain() {
    local rest=$1 name
    plain=
    [[ $rest == '~' || $rest == '~/'* ]] && rest=$HOME${rest:1}
    rest=${rest//[\\\"\']/}
    while [[ $rest =~ ^([^$]*)[$]([{]?)([A-Za-z_][A-Za-z_0-9]*)[}]?(.*)$ ]]; do
      name=${BASH_REMATCH[3]}
      plain+=${BASH_REMATCH[1]}${!name}
      rest=${BASH_REMATCH[4]}
    done
    plain+=$rest
  }
  FUNCTION_offer() {
    local name=$1
    case $current in
      [\'\"]*)
        [[ $name == *[\"\'\`\$\\!]* ]] && return
        [[ $name == "${current:1}"* ]] && COMPREPLY+=("$name") ;;
      *)
        printf -v name %q "$name"
        [[ $name == "$current"* ]] && COMPREPLY+=("$name") ;;
    esac
  }
  FUNCTION() {
    local IFS=$'\n' current=${COMP_WORDS[COMP_CWORD]} plain word line
    local -a words=()
    for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
      FUNCTION_plain "$word"
      words+=("$plain")
    done
    [[ $current == '=' ]] && current=''
    COMPREPLY=()
    while IFS= read -r line; do
      case $line in
        $'\tfile'|$'\tdirectory')
          compopt -o filenames 2>/dev/null
          COMPREPLY+=($(compgen "-${line:1:1}" -- "$current")) ;;
        $'\tcommand '*)
          if ((COMP_CWORD == ${line##* })); then
            COMPREPLY=($(compgen -c -- "$current"))
          else
            COMPREPLY=($(compgen -f -- "$current"))
          fi ;;
        *) FUNCTION_offer "${line%%$'\t'*}" ;;
      esac
    done < <("${words[0]}" --complete "${words[@]:1}" 2>/dev/null)
  }
  complete -o bashdefault -F FUNCTION PROGRAM

  """#

private let zshScript = #"""
  #compdef PROGRAM

  FUNCTION() {
    local line ret=1
    local -a plain=("${(@Q)words[1,CURRENT]}") found=()
    plain=("${(@)plain/#\~\//$HOME/}")
    [[ $PREFIX == --*=* ]] && compset -P '*='
    for line in "${(@f)$($plain[1] --complete "${(@)plain[2,-1]}" 2>/dev/null)}"; do
      case $line in
        ($'\tfile') _files && ret=0 ;;
        ($'\tdirectory') _files -/ && ret=0 ;;
        ($'\tcommand '*)
          shift ${line##* } words
          (( CURRENT -= ${line##* } ))
          _normal
          return ;;
        (*$'\t'*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
        (?*) found+=("${line//:/\\:}") ;;
      esac
    done
    (( $#found )) && _describe -V PROGRAM found && ret=0
    return ret
  }

  if [[ $funcstack[1] == FUNCTION ]]; then
    FUNCTION "$@"
  else
    compdef FUNCTION PROGRAM
  fi

  """#

private let fishScript = #"""
  # fish completion for PROGRAM
  function _FUNCTION
    set -l raw (commandline -opc) (commandline -ct)
    set -l words (string unescape -- $raw | string replace -r '^~/' "$HOME/")
    set -l option (string match -r -- '^--[^=]*=' $words[-1]; or echo)
    set -l rest (string replace -- "$option" '' $words[-1])
    for line in ($words[1] --complete $words[2..-1] 2>/dev/null)
      switch $line
        case \tfile
          printf '%s\n' $option(__fish_complete_path $rest)
        case \tdirectory
          printf '%s\n' $option(__fish_complete_directories $rest)
        case \tcommand\*
          set -l count (string split ' ' -- $line)[-1]
          complete -C (string join ' ' -- $raw[(math $count + 1)..-1])
        case '*'
          printf '%s\n' $option$line
      end
    end
  end
  complete -c PROGRAM -f -a '(_FUNCTION)'

  """#
