import { type Command, InvalidArgumentError } from 'commander'
import { withExample } from '../options.js'
import { print } from '../print.js'

const SHELLS = { bash, zsh, fish }

export function addCompletion(program: Command): void {
  const command = program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish', shell)
    .description('Print a script that completes commands and options in a shell')
    .action((name: keyof typeof SHELLS) => print(SHELLS[name](wordsOf(program))))
  withExample(
    command,
    [
      'bash:  echo \'eval "$(punctual completion bash)"\' >> ~/.bashrc',
      '  zsh:   echo \'eval "$(punctual completion zsh)"\' >> ~/.zshrc',
      '  fish:  punctual completion fish > ~/.config/fish/completions/punctual.fish',
    ].join('\n'),
  )
}

function shell(text: string): string {
  if (!(text in SHELLS)) throw new InvalidArgumentError('It is bash, zsh or fish.')
  return text
}

/** What can follow the words of a command: its commands and its options. */
interface Words {
  /** The words before, such as `checks list`; empty for the program itself. */
  after: string
  next: { word: string; description: string }[]
}

function wordsOf(command: Command, after = ''): Words[] {
  const commands = command.commands.map(one => ({ word: one.name(), description: one.description() }))
  const options = command.options.map(one => ({ word: one.long ?? one.short!, description: one.description }))
  const help = { word: '--help', description: 'display help for command' }
  const below = command.commands.flatMap(one => wordsOf(one, `${after} ${one.name()}`.trim()))
  return [{ after, next: [...commands, ...options, help] }, ...below]
}

/** The commands before the cursor are the words that are no options, at most two. */
function bash(words: readonly Words[]): string {
  const cases = words.map(
    ({ after, next }) => `    '${after}') words='${next.map(({ word }) => word).join(' ')}' ;;`,
  )
  return `_punctual() {
  local word before='' words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) before="\${before:+$before }$word" ;; esac
  done
  while :; do
    case $before in
${cases.join('\n')}
    esac
    [ -n "$words" ] && break
    case $before in *' '*) before=\${before% *} ;; *) break ;; esac
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _punctual punctual`
}

function zsh(words: readonly Words[]): string {
  return `autoload -Uz bashcompinit && bashcompinit\n${bash(words)}`
}

function fish(words: readonly Words[]): string {
  const lines = words.flatMap(({ after, next }) => {
    const commands = next.filter(({ word }) => !word.startsWith('-')).map(({ word }) => word)
    const within = after === '' ? '__fish_use_subcommand' : isWithin(after, commands)
    return next.map(({ word, description }) => {
      const what = word.startsWith('--')
        ? `-l ${word.slice(2)}`
        : word.startsWith('-')
          ? `-s ${word.slice(1)}`
          : `-a ${word}`
      return `complete -c punctual -n '${within}' -f ${what} -d '${description.replaceAll("'", '’')}'`
    })
  })
  return lines.join('\n')
}

/** Whether these words were typed and none of the commands below them. */
function isWithin(after: string, below: readonly string[]): string {
  const typed = after.split(' ').map(word => `__fish_seen_subcommand_from ${word}`)
  return [...typed, ...(below.length > 0 ? [`not __fish_seen_subcommand_from ${below.join(' ')}`] : [])].join(
    '; and ',
  )
}
