/**
 * Runs commands of the user's on the machine that Punctual runs on. It takes no notices: the commands are written for
 * the changes of a check. Source: docs/behaviour.md, section 8.4.
 */

import { Refusal } from '../../../core/errors.js'
import { oneLine } from '../../../core/text/clean-text.js'
import { DeliveryError, type Integration } from '../../integration.js'
import type { Operator } from '../../setup.js'
import { placeholderHelp } from '../../text/alert-placeholders.js'
import { clip } from '../../text/clip.js'
import { SHELL_PLACEHOLDERS, shellCommand } from './shell-command.js'
import { unsafePlacement } from './shell-safety.js'

const DIRECTIONS = ['cmd_down', 'cmd_up'] as const
const COMMAND_CHARACTERS = 1000
const OUTPUT_CHARACTERS = 120

export const shell: Integration = {
  kind: 'shell',
  label: 'Shell Command',
  category: 'anything',
  help: 'Runs a command on the machine of this installation when a check goes down, when it comes back up, or both.',
  guide: `
With \`SHELL_ENABLED\` the owners of projects can run what they like on this machine, with the rights of Punctual, and
anyone with an account can make a project and owns it. So the start is refused while \`REGISTRATION_OPEN\` is on, and
nobody but a project’s owner can add, change, enable, disable or delete a channel of this kind. Everyone in the project can
read the commands and send a test, and members decide which checks run them.

Where the owners of projects are not to choose the commands, list those that are allowed in \`SHELL_COMMANDS\`, or in the
file that \`SHELL_COMMANDS_FILE\` names: one command a line, empty lines and lines that begin with \`#\` aside. A channel
then takes these commands only, word for word, and a stored command that is no longer in the list is not run.

The shell that runs a command never reads a name or tag as code: outside of quotes it is one word, whatever it holds.
A command may hand a name to one other shell, within one pair of quotes and without quotes of its own, because it
brings the quotes that it needs: \`ssh host "logger $NAME"\`. These are refused, when a channel is saved and before a
stored command is run:

- a name within inner or escaped quotes (\`ssh host "logger '$NAME'"\`), or in a word that is only partly quoted;
- a name outside of quotes in a command with \`ssh\`, \`sh -c\`, \`eval\` and the like;
- a name that passes through two other shells, or is part of a program for \`awk\`, \`sed\`, \`python\` and the like;
- a name in a command with a here-document (\`<<\`), or where a command would begin (\`sh -c "$NAME"\`);
- a name that \`parallel\`, \`tmux send-keys\`, \`crontab\`, \`fish\` and the like would read;
- \`$PUNCTUAL_NAME\` outside of single quotes in a command with another shell, since this shell would put the name in.

Scripts, and other shells on this machine, read a name from the variable \`PUNCTUAL_NAME\` (\`PUNCTUAL_TAGS\`,
\`PUNCTUAL_TAG1\`): \`sh -c 'logger "$PUNCTUAL_NAME"'\`. Punctual knows the usual shells and languages by name; a program
of your own that runs its arguments as code has to guard itself. Write \`\\$\` where you mean a variable of the shell that
begins like a placeholder.

The command gets nothing to read and sees of the environment only \`PATH\`, \`HOME\` and \`LANG\`, and the names and
tags in variables that begin with \`PUNCTUAL_\`, among them \`PUNCTUAL_RUN\`, the id of the run. It has 30 seconds, after which it is killed with all that it
started: on Linux also what left its process group (\`setsid\`), unless that was given another environment. What a command
leaves running at its own end goes on. An exit code other than 0 is a failure, which is tried again, and whose last
line of output is shown at the channel. After 1 MB of output the rest is read slowly. Everyone in the project can read
the commands, so keep secrets in files.`,
  placeholders: { where: 'The commands', list: placeholderHelp(SHELL_PLACEHOLDERS) },
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">' +
    '<path d="m5 7 5 5-5 5"/><path d="M12 18h7"/></svg>',
  operatorSettings: [
    {
      name: 'SHELL_ENABLED',
      type: 'flag',
      default: 'False',
      help: 'Whether the owners of projects may have commands run on this machine. It needs `REGISTRATION_OPEN=False`. Read the page of this integration before.',
    },
    {
      name: 'SHELL_COMMANDS',
      help: 'The commands that are allowed, one a line; empty: the owners of projects write their own. `SHELL_COMMANDS_FILE` names a file of them.',
    },
  ],
  needs: ['SHELL_ENABLED'],
  configuredBy: 'own',
  setup: {
    way: 'prepare',
    async prepare(settings, operator) {
      for (const field of DIRECTIONS) {
        if (isAllowed(settings[field] ?? '', operator)) continue
        throw new Refusal('invalid', `The operator allows only: ${allowedBy(operator).join('; ')}`, field)
      }
      return settings
    },
  },
  fields: [
    commandField('cmd_down', 'Command when a check goes down'),
    commandField('cmd_up', 'Command when a check comes back up'),
  ],
  check(settings) {
    for (const field of DIRECTIONS) {
      const problem = unsafePlacement(settings[field] ?? '')
      if (problem) throw new Refusal('invalid', problem, field)
    }
    if (settings.cmd_down || settings.cmd_up) return settings
    throw new Refusal('invalid', 'Enter a command for at least one of the two directions.', 'cmd_down')
  },
  describe({ cmd_down, cmd_up }) {
    return [cmd_down && `${short(cmd_down)} (down)`, cmd_up && `${short(cmd_up)} (up)`]
      .filter(text => text)
      .join(', ')
  },
  wants: (settings, status) => Boolean(settings[`cmd_${status}`]),
  async send(alert, to, transports) {
    if (to.operator.SHELL_ENABLED !== 'true') throw new DeliveryError('Shell commands are not enabled')
    const template = to.settings[`cmd_${alert.status}`] ?? ''
    const problem = isAllowed(template, to.operator)
      ? unsafePlacement(template)
      : 'The operator does not allow this command'
    if (problem) throw new DeliveryError(`Command was not run. ${problem}`, { permanent: true })
    const { command, variables } = shellCommand(template, alert)
    const { code, signal, output } = await transports.run(command, variables)
    if (code === 0) return
    const ended = code === null ? `Command was ended by ${signal}` : `Command returned exit code ${code}`
    const said = oneLine(output.trimEnd().split('\n').at(-1) ?? '')
    throw new DeliveryError(said === '' ? ended : `${ended}: ${clip(said, OUTPUT_CHARACTERS)}`)
  },
}

/** Whether the operator lets a command be run; none at all needs no permission. */
function isAllowed(command: string, operator: Operator): boolean {
  const allowed = allowedBy(operator)
  return command === '' || allowed.length === 0 || allowed.includes(command)
}

/** The commands that the operator has listed; empty where owners write their own. */
function allowedBy({ SHELL_COMMANDS = '' }: Operator): string[] {
  const lines = SHELL_COMMANDS.split('\n').map(line => line.trim())
  return lines.filter(line => line !== '' && !line.startsWith('#'))
}

function commandField(name: string, label: string) {
  return {
    name,
    label,
    type: 'multiline',
    maxLength: COMMAND_CHARACTERS,
    help: 'Without it nothing is run in this direction.',
  } as const
}

function short(text: string): string {
  return clip(oneLine(text), 40)
}
